#include "sim/cli/accuracy/record_fields.h"

namespace heddle::cli::accuracy {

std::optional<io::Value> needed(const io::Value& record, std::string_view key, Diagnostics& out) {
  auto member = record.member(key);
  if (!member) record.error("missing-key", "needs \"" + std::string(key) + "\"", "", out);
  return member;
}

std::string text_of(const io::Value& record, std::string_view key, Diagnostics& out) {
  const auto member = needed(record, key, out);
  return member ? member->as_string(out).value_or("") : "";
}

bool is_data_parallel(const io::Value& record) {
  Diagnostics ignored;
  const auto parallel = record.member("parallel");
  if (!parallel) return false;
  for (const std::string_view key : {"tp", "pp", "ep", "cp"}) {
    const auto degree = parallel->member(key);
    if (degree && !degree->is_null() && degree->as_integer(1, 1, ignored) != 1) return false;
  }
  return true;
}

}  // namespace heddle::cli::accuracy
