#include "sim/collective/algorithms.h"

#include <array>

#include "sim/collective/nvls.h"
#include "sim/collective/nvls_tree.h"
#include "sim/collective/p2p.h"
#include "sim/collective/pat.h"
#include "sim/collective/ring.h"
#include "sim/collective/tree.h"

namespace heddle::collective {

std::span<const AlgorithmSpec> algorithms() {
  static const std::array kTable{
      ring_algorithm(),      tree_algorithm(), nvls_algorithm(),
      nvls_tree_algorithm(), pat_algorithm(),  p2p_algorithm(),
  };
  return kTable;
}

}  // namespace heddle::collective
