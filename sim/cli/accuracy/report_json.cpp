#include "sim/cli/accuracy/json_statistics.h"
#include "sim/cli/accuracy/report.h"

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
  write_unsupported(score.unsupported, json);
  json.key("records").begin_array();
  for (const Record& record : score.records) write_record(record, json);
  return json.end_array().end_object().take();
}

}  // namespace heddle::cli::accuracy
