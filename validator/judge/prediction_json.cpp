#include "validator/judge/prediction_json.h"

#include <algorithm>

#include "sim/io/json_writer.h"
#include "validator/judge/memory_timeline.h"

namespace heddle::judge {
namespace {

using io::JsonWriter;

void write_origin(JsonWriter& w, const ValidationPlan& plan) {
  const io::ScheduleFile& planned = plan.planned;
  w.field("scenario", planned.origin.scenario)
      .field("case", planned.origin.case_id)
      .field("fingerprint", planned.origin.fingerprint)
      .field("schedule_hash", planned.hash)
      .field("executed_hash", plan.executed ? plan.executed->hash : planned.hash)
      .field("sealed", plan.executed ? plan.executed->sealed : planned.sealed)
      .field("backend", plan.fleet.backend->name)
      .field("ranks", planned.schedule.rank_count())
      .field("scale", plan.scale);
}

void write_parameters(JsonWriter& w, const Validation& result) {
  w.key("calibration").begin_array();
  for (const Parameter& p : result.parameters) {
    w.begin_object().inline_from_here();
    w.field("parameter", p.name)
        .field("value", p.value)
        .field("unit", p.unit)
        .field("sigma", p.sigma)
        .end_object();
  }
  w.end_array();
}

void write_doubts(JsonWriter& w, const Validation& result) {
  if (result.doubts.empty()) return;
  w.key("doubts").begin_array();
  for (const std::string& doubt : result.doubts) w.value(doubt);
  w.end_array();
}

void write_platform(JsonWriter& w, const HostFacts& host,
                    const std::vector<worker::Hello>& hellos) {
  w.key("platform").begin_object();
  w.field("host", host.host)
      .field("cpu", host.cpu)
      .field("cores", host.cores)
      .field("transport", host.transport)
      .field("date", host.date)
      .field("load", host.load);
  if (!hellos.empty()) {
    w.key("versions").begin_object();
    for (const auto& [name, value] : hellos.front().versions) w.field(name, value);
    w.end_object().key("rank_facts").begin_array();
    for (const worker::Hello& hello : hellos) {
      w.begin_object().inline_from_here().field("rank", hello.rank);
      for (const auto& [name, value] : hello.facts) w.field(name, value);
      w.end_object();
    }
    w.end_array();
  }
  w.end_object();
}

void write_rows(JsonWriter& w, std::string_view key, std::string_view name,
                const std::vector<TimeRow>& rows) {
  w.key(key).begin_array();
  for (const TimeRow& row : rows) {
    w.begin_object().inline_from_here();
    w.field(name, row.name);
    if (row.calls > 0) w.field("calls", row.calls);
    w.field("predicted_s", row.predicted)
        .field("measured_s", row.measured)
        .field("error", row.error())
        .end_object();
  }
  w.end_array();
}

void write_time(JsonWriter& w, const ValidationPlan& plan, const Validation& result) {
  const TimeComparison& time = *result.time;
  w.key("step").begin_object();
  w.field("predicted_s", time.predicted_step)
      .field("median_s", time.step.median)
      .field("p10_s", time.step.p10)
      .field("p90_s", time.step.p90)
      .field("samples", static_cast<std::int64_t>(time.step.samples))
      .field("noisy", result.unsteady())
      .field("drift", result.drift)
      .field("error", time.error())
      .field("tolerance", plan.tolerance)
      .end_object();
  write_rows(w, "classes", "class", time.classes);
  write_rows(w, "phases", "phase", time.phases);
  w.key("rank_steps").begin_array();
  for (std::size_t rank = 0; rank < time.ranks.size(); ++rank) {
    w.begin_object().inline_from_here();
    w.field("rank", static_cast<int>(rank)).field("median_s", time.ranks[rank]).end_object();
  }
  w.end_array();
}

constexpr std::size_t kMostDifferences = 20;

/// Only where both sides ran the same ops.
void write_timeline(JsonWriter& w, const ValidationPlan& plan, const Validation& result) {
  if (plan.executed) return;
  const MemoryTimeline timeline =
      memory_timeline(plan.planned.schedule, result.predicted, result.counted);
  w.key("timeline").begin_object().field("rank", timeline.rank);
  w.key("moments").begin_array().inline_from_here();
  for (const MemoryMoment& moment : timeline.moments) {
    w.begin_array().value(static_cast<std::int64_t>(moment.op)).value(moment.measured.value);
    for (const Bytes bytes : moment.predicted) w.value(bytes.value);
    w.end_array();
  }
  w.end_array().end_object();
}

void write_memory(JsonWriter& w, const ValidationPlan& plan, const Validation& result) {
  const MemoryComparison& memory = *result.memory;
  w.key("memory").begin_object();
  w.field("boundaries", static_cast<std::int64_t>(memory.boundaries))
      .field("differing", static_cast<std::int64_t>(memory.totals_differ))
      .field("peak_predicted_bytes", memory.predicted_peak.value)
      .field("peak_measured_bytes", memory.measured_peak.value)
      .field("resident_growth_bytes", result.resident_growth.value)
      .field("resident_agrees", result.resident_agrees);
  w.key("differences").begin_array();
  for (std::size_t i = 0; i < std::min(kMostDifferences, memory.differences.size()); ++i) {
    const MemoryDifference& d = memory.differences[i];
    w.begin_object().inline_from_here();
    w.field("rank", d.rank)
        .field("op", d.op)
        .field("category", to_string(d.category))
        .field("predicted_bytes", d.predicted.value)
        .field("measured_bytes", d.measured.value)
        .field("what", d.what)
        .end_object();
  }
  w.end_array().key("categories_at_peak").begin_array();
  for (int c = 0; c < schedule::kCategoryCount; ++c) {
    const auto index = static_cast<std::size_t>(c);
    w.begin_object().inline_from_here();
    w.field("category", to_string(static_cast<schedule::MemoryCategory>(c)))
        .field("predicted_bytes", memory.predicted_at_peak[index].value)
        .field("measured_bytes", memory.measured_at_peak[index].value)
        .end_object();
  }
  w.end_array();
  write_timeline(w, plan, result);
  w.end_object();
}

/// Spans of the last step, counted from its begin.
void write_lanes(JsonWriter& w, std::string_view key, const schedule::Schedule& s,
                 const engine::RunResult& run) {
  w.key(key).begin_array();
  for (const engine::RankResult& rank : run.ranks) {
    if (rank.steps.empty()) continue;
    const SimTime zero = rank.steps.back().begin;
    const std::uint32_t first =
        last_step_begin(s, s.programs[static_cast<std::size_t>(rank.program)]);
    for (int stream = 0; stream < schedule::kStreamCount; ++stream) {
      const auto kind = static_cast<schedule::StreamKind>(stream);
      w.begin_object().field("rank", rank.first_rank).field("ranks", rank.multiplicity);
      w.field("stream", to_string(kind)).key("spans").begin_array().inline_from_here();
      for (const engine::Interval& i : rank.intervals) {
        if (i.stream != kind || i.op < first) continue;
        w.begin_array().value(static_cast<std::int64_t>(i.op));
        w.value((i.start - zero).seconds()).value((i.end - zero).seconds()).end_array();
      }
      w.end_array().end_object();
    }
  }
  w.end_array();
}

void write_ops(JsonWriter& w, const schedule::Schedule& s) {
  const schedule::Program& program = s.programs.front();
  w.key("ops").begin_array().inline_from_here();
  for (std::uint32_t at = last_step_begin(s, program); at < program.ops.size(); ++at) {
    const schedule::Op& op = program.ops[at];
    const bool is_collective = op.kind == schedule::OpKind::kCollective;
    if (!is_collective && op.kind != schedule::OpKind::kCompute) continue;
    const schedule::Label& label = s.label(op.label);
    w.begin_array().value(static_cast<std::int64_t>(at)).value(label.name);
    w.value(to_string(label.phase)).value(label.layer);
    w.value(is_collective ? to_string(s.collectives[op.arg].kind)
                          : to_string(s.kernels[op.arg].kind));
    w.end_array();
  }
  w.end_array();
}

void write_gpu(JsonWriter& w, const Validation& result) {
  const GpuFindings& gpu = *result.gpu;
  w.key("gpu").begin_object();
  w.field("shared", gpu.is_shared)
      .field("reserved_predicted_bytes", gpu.predicted_reserved.value)
      .field("reserved_measured_bytes", gpu.measured_reserved.value)
      .field("reserved_error", gpu.reserved_error())
      .field("reserved_agrees", gpu.reserved_agrees())
      .field("footprint_growth_bytes", result.resident_growth.value)
      .field("footprint_expected_bytes", result.resident_expected.value);
  if (gpu.quiet && result.time) {
    w.field("step_without_events_s", gpu.quiet->median)
        .field("probe_effect", gpu.probe_effect(result.time->step.median));
  }
  if (!gpu.machine.empty()) w.field("topology", gpu.machine);
  w.end_object();
}

void write_failure(JsonWriter& w, const launch::FleetFailure& failure) {
  w.key("failure").begin_object();
  w.field("rank", failure.rank).field("text", failure.text).key("flight").begin_array();
  for (const std::string& line : failure.flight) w.value(line);
  w.end_array().end_object();
}

void write_lists(JsonWriter& w, const Validation& result) {
  w.key("reasons").begin_array();
  for (const std::string& reason : result.reasons) w.value(reason);
  w.end_array();
}

}  // namespace

std::string prediction_json(const ValidationPlan& plan, const Validation& state) {
  JsonWriter w;
  w.begin_object().field("schema", "heddle.prediction/1");
  write_origin(w, plan);
  write_platform(w, state.host, state.hellos);
  w.field("step_s", longest_step(state.predicted))
      .field("peak_bytes", state.predicted.ranks.front().peak.total().value)
      .field("event_fingerprint", state.predicted.fingerprint);
  write_parameters(w, state);
  write_doubts(w, state);
  w.end_object();
  return w.take();
}

std::string validation_json(const ValidationPlan& plan, const Validation& result) {
  JsonWriter w;
  w.begin_object()
      .field("schema", "heddle.validation/1")
      .field("verdict", to_string(result.verdict));
  write_lists(w, result);
  w.field("complete", result.complete);
  write_origin(w, plan);
  w.field("prediction_hash", result.prediction_hash).field("attempts", result.attempts);
  write_platform(w, result.host, result.hellos);
  if (result.time) write_time(w, plan, result);
  if (result.gpu) write_gpu(w, result);
  if (result.memory) write_memory(w, plan, result);
  write_parameters(w, result);
  write_doubts(w, result);
  if (result.time) {
    w.key("lanes").begin_object();
    write_lanes(w, "predicted", plan.planned.schedule, result.predicted);
    const io::ScheduleFile& executed = plan.executed ? *plan.executed : plan.planned;
    write_lanes(w, "measured", executed.schedule, result.typical);
    w.end_object();
    write_ops(w, executed.schedule);
  }
  if (result.failure) write_failure(w, *result.failure);
  w.end_object();
  return w.take();
}

}  // namespace heddle::judge
