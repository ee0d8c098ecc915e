#include "sim/cli/memory_text.h"
#include "sim/io/json_writer.h"

namespace heddle::cli {
namespace {

void write_report(io::JsonWriter& w, const run::MemoryReport& m) {
  w.field("verdict", to_string(m.verdict))
      .field("resident_bytes", m.resident.value)
      .field("peak_allocated_bytes", m.peak_allocated.value)
      .field("peak_active_bytes", m.peak_active.value)
      .field("peak_reserved_bytes", m.peak_reserved.value)
      .field("context_bytes", m.context.value)
      .field("nccl_bytes", m.nccl.value)
      .field("driver_bytes", m.driver().value)
      .field("driver_low_bytes", m.low.value)
      .field("driver_high_bytes", m.high.value)
      .field("headroom_bytes", m.headroom.value)
      .field("needed_bytes", m.needed().value)
      .field("capacity_bytes", m.capacity.value);
}

void write_steps(io::JsonWriter& w, const run::MemoryReport& m) {
  w.key("steps").begin_array();
  for (const run::StepMemory& step : m.steps) {
    w.begin_object().inline_from_here();
    w.field("resident_bytes", step.resident.value)
        .field("peak_allocated_bytes", step.allocated.value)
        .field("peak_active_bytes", step.active.value)
        .field("peak_reserved_bytes", step.reserved.value)
        .end_object();
  }
  w.end_array();
}

void write_alive(io::JsonWriter& w, std::string_view key,
                 const std::vector<run::AliveBuffers>& alive) {
  w.key(key).begin_array();
  for (const run::AliveBuffers& group : alive) {
    w.begin_object().inline_from_here();
    w.field("name", group.name)
        .field("category", to_string(group.category))
        .field("buffers", group.count)
        .field("bytes", group.bytes.value)
        .end_object();
  }
  w.end_array();
}

void write_knobs(io::JsonWriter& w, std::span<const run::KnobResult> knobs) {
  w.key("knobs").begin_array();
  for (const run::KnobResult& knob : knobs) {
    w.begin_object()
        .field("name", knob.knob->name)
        .field("text", knob.knob->text)
        .field("saved_bytes", knob.saved.value)
        .field("step_time_s", knob.step_time.seconds());
    write_report(w, knob.memory);
    w.end_object();
  }
  w.end_array();
}

}  // namespace

std::string memory_json(const run::Study& study, const run::CaseResult& base,
                        std::span<const run::KnobResult> knobs) {
  const run::MemoryReport& m = base.memory;
  io::JsonWriter w;
  w.begin_object()
      .field("schema", "heddle.memory/1")
      .field("fingerprint", study.fingerprint())
      .field("scenario", study.scenario().name);
  w.key("assumptions").begin_array();
  for (const std::string& assumption : study.scenario().assumptions) w.value(assumption);
  w.end_array();
  w.field("case", base.case_id);
  write_report(w, m);
  w.field("peak_phase", to_string(m.peak_at.phase))
      .field("peak_layer", m.peak_at.layer)
      .field("peak_op", m.peak_at.name)
      .field("retries", m.retries)
      .field("out_of_memory", m.out_of_memory);
  write_steps(w, m);
  write_alive(w, "alive_at_peak", m.alive);
  write_alive(w, "alive_after_optimizer", m.resident_alive);
  write_knobs(w, knobs);
  return w.end_object().take();
}

}  // namespace heddle::cli
