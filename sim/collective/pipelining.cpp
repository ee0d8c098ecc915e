#include "sim/collective/pipelining.h"

#include <algorithm>
#include <cmath>

namespace heddle::collective {

Duration Pipelining::stall(Duration transfer) const {
  // The square root of IEEE doubles is exactly rounded, so every machine gets the same.
  const auto growing = static_cast<double>(std::min(transfer, until).ps);
  return {std::llround(2 * std::sqrt(static_cast<double>(sync.ps) * growing))};
}

}  // namespace heddle::collective
