#include "sim/cli/memory_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

constexpr std::size_t kBuffersShown = 12;

std::string share_text(Bytes part, Bytes whole) {
  return whole > Bytes{}
             ? percent_text(static_cast<double>(part.value) / static_cast<double>(whole.value))
             : "-";
}

std::string steps_text(const run::MemoryReport& memory) {
  TextTable table({{"step", "", Align::kLeft},
                   {"resident", "GB"},
                   {"peak allocated", "GB"},
                   {"peak active", "GB"},
                   {"peak reserved", "GB"}});
  for (std::size_t s = 0; s < memory.steps.size(); ++s) {
    const run::StepMemory& step = memory.steps[s];
    const bool steady = s + 1 == memory.steps.size() && s > 0;
    table.add_row({fmt::format("{}{}", s, steady ? ", steady" : ""), gb_text(step.resident),
                   gb_text(step.allocated), gb_text(step.active), gb_text(step.reserved)});
  }
  table.add_row({"whole run", gb_text(memory.resident), gb_text(memory.peak_allocated),
                 gb_text(memory.peak_active), gb_text(memory.peak_reserved)});
  return table.render(2);
}

std::string categories_text(const run::MemoryReport& memory) {
  TextTable table({{"category", "", Align::kLeft},
                   {"at the peak", "GB"},
                   {"of peak", "%"},
                   {"resident", "GB"}});
  for (std::size_t i = 0; i < memory.at_peak.size(); ++i) {
    if (memory.at_peak[i] == Bytes{} && memory.at_resident[i] == Bytes{}) continue;
    table.add_row({std::string(to_string(static_cast<schedule::MemoryCategory>(i))),
                   gb_text(memory.at_peak[i]), share_text(memory.at_peak[i], memory.peak_allocated),
                   gb_text(memory.at_resident[i])});
  }
  return table.render(2);
}

std::string alive_text(const run::MemoryReport& memory) {
  TextTable table({{"alive at the peak", "", Align::kLeft},
                   {"buffers", ""},
                   {"together", "GB"},
                   {"category", "", Align::kLeft}});
  const std::size_t shown = std::min(kBuffersShown, memory.alive.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const run::AliveBuffers& group = memory.alive[i];
    table.add_row({group.name, fmt::format("{}", group.count), gb_text(group.bytes),
                   std::string(to_string(group.category))});
  }
  Bytes rest;
  for (std::size_t i = shown; i < memory.alive.size(); ++i) rest += memory.alive[i].bytes;
  if (rest > Bytes{}) table.add_row({"everything else", "", gb_text(rest), ""});
  return table.render(2);
}

std::string pressure_text(const run::MemoryReport& memory) {
  if (!memory.out_of_memory.empty()) {
    return fmt::format("  the allocator runs out of memory at: {}\n", memory.out_of_memory);
  }
  if (memory.retries == 0) return "";
  return fmt::format("  {} allocations succeed only after the cache was released: slow\n",
                     memory.retries);
}

std::string need_text(const run::MemoryReport& memory) {
  return fmt::format(
      "  driver's view {} = {} reserved + {} CUDA context + {} NCCL; with the model's error {} to "
      "{} "
      "GB\n  usable {} = {} of the GPU less {} headroom: {}\n{}",
      format_bytes(memory.driver()), gb_text(memory.peak_reserved), gb_text(memory.context),
      gb_text(memory.nccl), gb_text(memory.low), gb_text(memory.high), format_bytes(memory.usable),
      gb_text(memory.capacity), gb_text(memory.headroom), verdict_text(memory.verdict),
      pressure_text(memory));
}

}  // namespace

std::string verdict_word(run::Verdict verdict) {
  if (verdict == run::Verdict::kFits) return "yes";
  return verdict == run::Verdict::kTooClose ? "close" : "NO";
}

std::string verdict_text(run::Verdict verdict) {
  if (verdict == run::Verdict::kFits) return "fits";
  return verdict == run::Verdict::kTooClose ? "too close to call" : "DOES NOT FIT";
}

std::string memory_text(const run::CaseResult& result) {
  const run::MemoryReport& memory = result.memory;
  return fmt::format(
      "Memory of the fullest GPU\n{}  allocated peaks at {} ({}) in: {}\n\n{}\n{}\n{}",
      steps_text(memory), format_bytes(memory.peak_allocated),
      format_bytes_binary(memory.peak_allocated), run::moment_text(memory.peak_at),
      categories_text(memory), alive_text(memory), need_text(memory));
}

std::string knobs_text(const run::CaseResult& base, std::span<const run::KnobResult> knobs) {
  if (knobs.empty()) return "Nothing that is modelled would need less.\n";
  TextTable table({{"change", "", Align::kLeft},
                   {"saves", "GB"},
                   {"needed", "GB"},
                   {"then", ""},
                   {"step", "ms"},
                   {"slower", "%"}});
  for (const run::KnobResult& knob : knobs) {
    const double slower = knob.step_time.seconds() / base.step_time.seconds() - 1;
    table.add_row({std::string(knob.knob->text), gb_text(knob.saved), gb_text(knob.memory.needed()),
                   verdict_word(knob.memory.verdict), ms_text(knob.step_time),
                   fmt::format("{:+.1f}", slower * 100)});
  }
  return "What would need less, each simulated\n" + table.render(2);
}

}  // namespace heddle::cli
