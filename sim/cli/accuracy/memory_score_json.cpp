#include "sim/cli/accuracy/json_statistics.h"
#include "sim/cli/accuracy/memory_score.h"

namespace heddle::cli::accuracy {
namespace {

void write_record(const MemoryRecord& record, io::JsonWriter& json) {
  json.begin_object()
      .field("id", record.id)
      .field("family", record.family)
      .field("group", record.group)
      .field("quantity", to_string(record.read))
      .field("predicted", record.predicted)
      .field("measured", record.measured)
      .field("error_pct", record.error_pct)
      .field("low", record.low)
      .field("high", record.high)
      .field("unsafe_at_97", record.unsafe_at_97())
      .field("refused_at_110", record.refused_at_110())
      .field("peak_at", record.peak_at);
  write_texts("assumptions", record.assumptions, json);
  json.end_object();
}

}  // namespace

void write_memory_score(const MemoryScores& scores, io::JsonWriter& json) {
  write_groups(memory_groups(scores), json, [](const MemoryGroup& group, io::JsonWriter& w) {
    w.field("worst_abs_pct", group.worst_abs_pct);
  });
  write_unsupported(scores.unsupported, json);
  json.key("records").begin_array();
  for (const MemoryRecord& record : scores.records) write_record(record, json);
  json.end_array();
}

}  // namespace heddle::cli::accuracy
