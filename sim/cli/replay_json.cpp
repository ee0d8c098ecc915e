#include "sim/allocator/pool_use.h"
#include "sim/cli/replay_report.h"
#include "sim/io/json_writer.h"

namespace heddle::cli {
namespace {

using allocator::ReplayMoment;
using io::JsonWriter;

void write_moment(const char* name, const ReplayMoment& at, JsonWriter& json) {
  json.key(name)
      .begin_object()
      .inline_from_here()
      .field("time_s", at.time.seconds())
      .field("event", static_cast<std::int64_t>(at.event))
      .field("allocated_bytes", at.allocated.value)
      .field("active_bytes", at.active.value)
      .field("reserved_bytes", at.reserved.value)
      .end_object();
}

void write_recorded(const allocator::ReplayResult& result, JsonWriter& json) {
  json.key("recorded_reserved");
  if (!result.recorded) {
    json.null();
    return;
  }
  json.begin_object()
      .field("peak_bytes", result.recorded->peak.value)
      .field("peak_time_s", result.recorded->peak_time.seconds())
      .field("last_bytes", result.recorded->last.value)
      .end_object();
}

void write_failure(const allocator::ReplayResult& result, JsonWriter& json) {
  json.key("out_of_memory");
  if (!result.out_of_memory) {
    json.null();
    return;
  }
  json.begin_object()
      .field("requested_bytes", result.out_of_memory->requested.value)
      .field("stream", static_cast<int>(result.out_of_memory->stream));
  write_moment("before", result.out_of_memory->before, json);
  json.end_object();
}

void write_pools(const allocator::ReplayResult& result, JsonWriter& json) {
  json.key("pools_at_peak_reserved").begin_array();
  for (const allocator::PoolUse& pool : allocator::pool_use(result.segments)) {
    json.begin_object()
        .inline_from_here()
        .field("stream", static_cast<int>(pool.stream))
        .field("pool", pool.small ? "small" : "large")
        .field("segments", pool.segments)
        .field("reserved_bytes", pool.reserved.value)
        .field("active_bytes", pool.active.value)
        .field("split_bytes", pool.split.value)
        .field("largest_free_bytes", pool.largest_free.value)
        .end_object();
  }
  json.end_array();
}

void write_largest(const allocator::ReplayResult& result, JsonWriter& json) {
  json.key("largest_at_peak_allocated").begin_array();
  for (const allocator::AliveBlock& block : result.largest) {
    json.begin_object()
        .inline_from_here()
        .field("allocation", static_cast<std::int64_t>(block.id))
        .field("bytes", block.requested.value)
        .field("stream", static_cast<int>(block.stream))
        .field("since_s", block.since.seconds())
        .end_object();
  }
  json.end_array();
}

}  // namespace

std::string replay_json(const ReplayAnswer& answer) {
  const allocator::ReplayResult& result = answer.result;
  JsonWriter json;
  json.begin_object()
      .field("schema", "heddle.replay/1")
      .field("trace", answer.file)
      .field("source", answer.trace.source)
      .field("alloc_conf", answer.alloc_conf)
      .key("capacity_bytes");
  if (answer.capacity == allocator::kUnlimited) {
    json.null();
  } else {
    json.value(answer.capacity.value);
  }
  json.field("allocations", static_cast<std::int64_t>(answer.trace.allocations))
      .field("initial_allocations", static_cast<std::int64_t>(answer.trace.initial_allocations))
      .field("retries", result.stats.retries);
  write_moment("peak_allocated", result.peak_allocated, json);
  write_moment("peak_active", result.peak_active, json);
  write_moment("peak_reserved", result.peak_reserved, json);
  write_recorded(result, json);
  write_failure(result, json);
  write_pools(result, json);
  json.field("alive_at_peak_allocated", static_cast<std::int64_t>(result.alive));
  write_largest(result, json);
  return json.end_object().take();
}

}  // namespace heddle::cli
