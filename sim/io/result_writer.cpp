#include "sim/io/result_writer.h"

#include "sim/io/cost_result_writer.h"
#include "sim/io/json_writer.h"
#include "sim/io/timeline_points.h"
#include "sim/io/variation_writer.h"

namespace heddle::io {
namespace {

constexpr std::size_t kTimelinePoints = 512;

void write_categories(JsonWriter& w, const run::MemoryReport& memory) {
  w.key("categories_at_peak").begin_object();
  for (int c = 0; c < schedule::kCategoryCount; ++c) {
    w.field(to_string(static_cast<schedule::MemoryCategory>(c)),
            memory.at_peak[static_cast<std::size_t>(c)].value);
  }
  w.end_object();
}

void write_timeline(JsonWriter& w, const engine::RunResult& run) {
  if (run.ranks.empty()) return;
  w.key("timeline").begin_array();
  for (const TimelinePoint& p : timeline_points(run.ranks.front().memory, kTimelinePoints)) {
    w.begin_object().inline_from_here();
    w.field("time_s", p.time.seconds()).field("total_bytes", p.total.value).end_object();
  }
  w.end_array();
}

void write_memory(JsonWriter& w, const run::CaseResult& r) {
  const run::MemoryReport& m = r.memory;
  w.key("memory").begin_object();
  w.field("resident_bytes", m.resident.value)
      .field("peak_allocated_bytes", m.peak_allocated.value)
      .field("peak_active_bytes", m.peak_active.value)
      .field("peak_reserved_bytes", m.peak_reserved.value)
      .field("driver_bytes", m.driver().value)
      .field("driver_low_bytes", m.low.value)
      .field("driver_high_bytes", m.high.value)
      .field("peak_phase", to_string(m.peak_at.phase))
      .field("peak_layer", m.peak_at.layer)
      .field("peak_op", m.peak_at.name)
      .field("context_bytes", m.context.value)
      .field("nccl_bytes", m.nccl.value)
      .field("headroom_bytes", m.headroom.value)
      .field("needed_bytes", m.needed().value)
      .field("capacity_bytes", m.capacity.value);
  write_categories(w, m);
  write_timeline(w, r.run);
  w.end_object();
}

void write_traffic(JsonWriter& w, const run::CaseResult& r) {
  w.key("traffic").begin_array();
  for (const run::TrafficLine& line : r.traffic) {
    w.begin_object()
        .field("collective", to_string(line.kind))
        .field("communicator", r.schedule->communicators[line.communicator.index()].name)
        .field("algorithm", line.algorithm)
        .field("calls", line.calls)
        .field("bytes", line.bytes.value)
        .field("wire_bytes", line.wire_bytes.value)
        .field("busy_s", line.busy.seconds())
        .field("exposed_s", line.exposed.seconds())
        .field("late_s", line.late.seconds())
        .field("queued_s", line.queued.seconds())
        .end_object();
  }
  w.end_array();
}

void write_host(JsonWriter& w, const run::CaseResult& r) {
  w.key("host_dispatches").begin_array();
  for (const run::HostDispatchLine& line : r.host) {
    w.begin_object().inline_from_here();
    w.field("phase", to_string(line.phase))
        .field("dispatches", line.dispatches)
        .field("collectives", line.collectives)
        .field("time_s", line.time.seconds())
        .end_object();
  }
  w.end_array();
}

/// Only what the scenario asked for: other results stay as they were.
void write_what_if_results(JsonWriter& w, const run::CaseResult& r) {
  if (!r.slow.empty()) {
    w.key("slow_ranks").begin_array();
    for (const run::SlowRank& slow : r.slow) {
      w.begin_object().inline_from_here();
      w.field("rank", slow.rank).field("gpu", slow.gpu).field("speed", slow.speed).end_object();
    }
    w.end_array();
  }
  if (r.background.empty()) return;
  w.field("limiting_link", r.limiting_link).key("background").begin_array();
  for (const run::BackgroundLine& line : r.background) {
    w.begin_object()
        .field("name", line.name)
        .field("moved_bytes", line.moved.value)
        .field("mean_bytes_per_s", line.mean.bytes_per_second)
        .field("transfers", line.transfers)
        .field("behind_s", line.behind.seconds())
        .field("share_of_limiting_link", line.of_limit)
        .end_object();
  }
  w.end_array();
}

void write_run(JsonWriter& w, const run::CaseResult& r) {
  w.begin_object()
      .field("case", r.case_id)
      .field("fabric", r.fabric_id)
      .field("strategy", r.strategy)
      .field("dialect", r.dialect)
      .field("machine", r.fabric_name)
      .field("gpu", r.gpu)
      .field("gpus", r.ranks)
      .field("fits", r.memory.fits())
      .field("verdict", to_string(r.memory.verdict))
      .field("step_time_s", r.step_time.seconds())
      .field("tokens_per_s", r.tokens_per_second)
      .field("samples_per_s", r.samples_per_second)
      .field("mfu", r.mfu)
      .field("exposed_comm_s", r.accounting.exposed_comm.seconds())
      .field("compute_s", r.accounting.compute.seconds())
      .field("memory_bound_compute_s", r.memory_bound_compute.seconds())
      .field("floor_bound_compute_s", r.floor_bound_compute.seconds())
      .field("slowed_compute_s", r.accounting.slowed.seconds())
      .field("host_s", r.accounting.host.seconds())
      .field("other_s", r.accounting.other.seconds())
      .field("bound_by", r.bound_by)
      .field("wire_bytes", r.wire_bytes.value);
  write_memory(w, r);
  write_traffic(w, r);
  write_host(w, r);
  write_what_if_results(w, r);
  write_variation(w, r);
  if (r.cost) write_cost_report(w, *r.cost);
  w.end_object();
}

}  // namespace

std::string write_result_json(const run::Scenario& scenario, const std::string& fingerprint,
                              std::span<const run::CaseResult> results) {
  JsonWriter w;
  w.begin_object()
      .field("schema", "heddle.result/1")
      .field("fingerprint", fingerprint)
      .field("scenario", scenario.name);
  w.key("assumptions").begin_array();
  for (const std::string& assumption : scenario.assumptions) w.value(assumption);
  w.end_array();
  w.key("runs").begin_array();
  for (const run::CaseResult& result : results) write_run(w, result);
  w.end_array().end_object();
  return w.take();
}

}  // namespace heddle::io
