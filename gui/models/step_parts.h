#pragma once
// A step's time split by cause, in the order in which bars are stacked. The parts add up to the
// step: those of the compute stream's work, then why it stood still.

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/units.h"
#include "sim/run/case_result.h"

namespace heddle::gui {

enum class StepPart : std::uint8_t {
  kArithmetic,  // kernels bound by arithmetic
  kMemory,      // kernels bound by HBM
  kSmall,       // kernels too small to take longer than a kernel must
  kSlowed,      // what collectives beside them cost kernels
  kExposed,     // idle, waiting for a collective
  kHost,        // idle, the host had not issued the work yet
  kOther,
};
inline constexpr std::size_t kStepPartCount = 7;
/// "arithmetic", "memory-bound", "small kernels", "slowed by comm", "exposed comm", "host", "other"
std::string_view to_string(StepPart part);

using StepParts = std::array<Duration, kStepPartCount>;
StepParts step_parts(const run::CaseResult& result);

}  // namespace heddle::gui
