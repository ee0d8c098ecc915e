#pragma once
// Required fields of a plan's objects. A missing or wrong one is a diagnostic and an empty value;
// read_plan() then refuses the whole, so that the empty value is never used.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

std::string text_field(io::ObjectReader& reader, std::string_view key, Diagnostics& out);
/// Absent: empty.
std::string optional_text(io::ObjectReader& reader, std::string_view key, Diagnostics& out);
/// Refuses a "schema" other than `wanted`.
void check_schema(io::ObjectReader& reader, std::string_view wanted, Diagnostics& out);
std::vector<std::string> text_list(io::ObjectReader& reader, std::string_view key,
                                   Diagnostics& out);
/// Absent: empty.
std::vector<std::string> optional_text_list(io::ObjectReader& reader, std::string_view key,
                                            Diagnostics& out);
/// {"training.optimizer.kernel": "fused"} as --set takes it: "path=value". Absent: empty.
std::vector<std::string> overrides_field(io::ObjectReader& reader, Diagnostics& out);

/// The "records" of a plan file, each read by `read(value, out)` into something with an id. nullopt
/// and every problem found: another schema, a faulty record, two of one id.
template <typename Record, typename Read>
std::optional<std::vector<Record>> read_plan_records(std::string_view text, const std::string& file,
                                                     std::string_view schema, Read read,
                                                     Diagnostics& out) {
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  io::ObjectReader root(document->root(), out);
  check_schema(root, schema, out);
  std::vector<Record> plan;
  std::set<std::string> seen;
  if (const auto records = root.required("records")) {
    for (const io::Value& record : records->items(out)) {
      plan.push_back(read(record, out));
      if (!seen.insert(plan.back().id).second) {
        record.error("duplicate-id", "id \"" + plan.back().id + "\" is used twice", "", out);
      }
    }
  }
  root.finish();
  if (out.has_errors()) return std::nullopt;
  return plan;
}

}  // namespace heddle::cli::accuracy
