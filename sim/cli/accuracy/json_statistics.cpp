#include "sim/cli/accuracy/json_statistics.h"

namespace heddle::cli::accuracy {

void write_statistics(const GroupStatistics& group, io::JsonWriter& json) {
  json.field("n", static_cast<std::int64_t>(group.n))
      .field("median_abs_pct", group.median_abs_pct)
      .field("mean_abs_pct", group.mean_abs_pct)
      .field("p90_abs_pct", group.p90_abs_pct)
      .field("mean_signed_pct", group.mean_signed_pct)
      .end_object();
}

void write_texts(const char* key, const std::vector<std::string>& texts, io::JsonWriter& json) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_unsupported(const std::vector<Unsupported>& unsupported, io::JsonWriter& json) {
  json.key("unsupported").begin_array();
  for (const Unsupported& u : unsupported) {
    json.begin_object().field("id", u.id).field("reason", u.reason).end_object();
  }
  json.end_array();
}

}  // namespace heddle::cli::accuracy
