#include "sim/collective/algorithms.h"

#include <array>

#include "sim/collective/nvls.h"
#include "sim/collective/ring.h"

namespace heddle::collective {

std::span<const AlgorithmSpec> algorithms() {
  static const std::array kTable{
      ring_algorithm(),
      nvls_algorithm(),
  };
  return kTable;
}

}  // namespace heddle::collective
