#include "sim/cli/accuracy/report.h"
#include "sim/io/json_writer.h"

namespace heddle::cli::accuracy {
namespace {

void write_figure(const char* key, const std::optional<double>& figure, io::JsonWriter& json) {
  if (figure) json.field(key, *figure);
}

void write_measured(const std::optional<Measured>& measured, io::JsonWriter& json) {
  if (!measured) return;
  if (measured->low == measured->high) {
    json.field("measured", measured->low);
    return;
  }
  json.key("measured").begin_array().value(measured->low).value(measured->high).end_array();
}

void write_texts(const char* key, const std::vector<std::string>& texts, io::JsonWriter& json) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_statistics(const GroupStatistics& group, io::JsonWriter& json) {
  json.field("n", static_cast<std::int64_t>(group.n))
      .field("median_abs_pct", group.median_abs_pct)
      .field("mean_abs_pct", group.mean_abs_pct)
      .field("p90_abs_pct", group.p90_abs_pct)
      .field("mean_signed_pct", group.mean_signed_pct)
      .end_object();
}

void write_groups(const std::vector<GroupStatistics>& groups, io::JsonWriter& json) {
  json.key("groups").begin_array();
  for (const GroupStatistics& group : groups) {
    json.begin_object()
        .field("by", "quantity")
        .field("name", group.name)
        .field("primary", is_primary(group.name));
    write_statistics(group, json);
  }
  json.end_array();
  json.key("overall").begin_object();
  write_statistics(overall_statistics(groups), json);
}

/// A relation told in words has no figures, only whether it is met.
void write_record(const Record& record, io::JsonWriter& json) {
  json.begin_object()
      .field("id", record.id)
      .field("group", record.predicted.group)
      .field("quantity", record.predicted.quantity);
  write_figure("predicted", record.predicted.value, json);
  write_measured(record.measured, json);
  write_figure("error_pct", record.error_pct, json);
  if (const auto met = record.relation_met()) json.field("met", *met);
  write_texts("figures", record.predicted.figures, json);
  write_texts("assumptions", record.assumptions, json);
  json.end_object();
}

}  // namespace

std::string score_json(const Score& score) {
  io::JsonWriter json;
  json.begin_object().field("schema", "heddle.accuracy/1").field("kind", "anchors");
  write_groups(group_statistics(score.records), json);
  json.key("unsupported").begin_array();
  for (const Unsupported& u : score.unsupported) {
    json.begin_object().field("id", u.id).field("reason", u.reason).end_object();
  }
  json.end_array().key("records").begin_array();
  for (const Record& record : score.records) write_record(record, json);
  return json.end_array().end_object().take();
}

}  // namespace heddle::cli::accuracy
