#pragma once
// Beyond these a number in a scenario is a slip, or the run would not end.

#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/model/batch_check.h"

namespace heddle::io {

inline constexpr std::int64_t kMaxTokens = model::kMaxTokens;  // also of samples
inline constexpr std::int64_t kMaxSteps = 64;
inline constexpr std::int64_t kMaxGpuNumber = 65'535;
inline constexpr std::int64_t kMaxNodes = 1'000'000;  // folded (sim/run/folding.h)
inline constexpr std::size_t kMaxRanks = 131'072;
inline constexpr std::int64_t kMaxCtas = 64;     // NCCL's MAXCHANNELS
inline constexpr std::size_t kMaxChoices = 256;  // fabrics, and strategies
inline constexpr std::size_t kMaxIdLength = 64;
inline constexpr Duration kMaxHostTime = milliseconds(1000);

inline constexpr double kMinShare = 0.01;  // of a link's capacity or a GPU's speed
inline constexpr Bandwidth kMaxRate{1'000'000'000'000'000};
inline constexpr Bytes kMaxBackgroundBytes = gigabytes(1'000'000);
inline constexpr Duration kMinBackgroundPeriod = microseconds(10);

inline constexpr double kMaxPue = 5;
inline constexpr double kMaxPrice = 1e6;      // of a GPU-hour, in whatever currency
inline constexpr double kMaxPower = 100'000;  // W of a GPU
inline constexpr double kMaxRunLength = 1e18;

}  // namespace heddle::io
