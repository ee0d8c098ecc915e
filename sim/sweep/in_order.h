#pragma once
// Work on numbered items by several threads, with the results handed on in the order of the items.

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "sim/sweep/row.h"

namespace heddle::sweep {

struct OrderedWork {
  std::size_t begin = 0;
  std::size_t end = 0;
  int jobs = 1;                                               // threads, at least one
  std::function<std::vector<Row>(std::size_t)> work;          // by any thread
  std::function<void(std::size_t, std::vector<Row>)> accept;  // one call at a time, in order
};

/// Items begun before `stop` became true are finished and accepted, so that what was accepted is
/// always items from `begin` on without a gap. Whatever `work` or `accept` throws ends it.
void run_in_order(const OrderedWork& work, const std::atomic<bool>& stop);

}  // namespace heddle::sweep
