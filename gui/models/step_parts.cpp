#include "gui/models/step_parts.h"

#include <algorithm>

namespace heddle::gui {

std::string_view to_string(StepPart part) {
  constexpr std::array<std::string_view, kStepPartCount> kNames{
      "arithmetic",   "memory-bound", "small kernels", "slowed by comm",
      "exposed comm", "host",         "other"};
  return kNames[static_cast<std::size_t>(part)];
}

StepParts step_parts(const run::CaseResult& result) {
  const engine::StepAccounting& step = result.accounting;
  // Kernels are classed whole; where steps overlap one may be cut in two, so each part takes at
  // most what is left of compute.
  Duration left = step.compute;
  const auto take = [&left](Duration part) {
    const Duration taken = std::min(part, left);
    left = left - taken;
    return taken;
  };
  const Duration slowed = take(step.slowed);
  const Duration memory = take(result.memory_bound_compute);
  const Duration small = take(result.floor_bound_compute);
  return {left, memory, small, slowed, step.exposed_comm, step.host, step.other};
}

}  // namespace heddle::gui
