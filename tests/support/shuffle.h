#pragma once
// Random orders, the same on every machine. Header only.

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/rng.h"

namespace heddle::test {

template <typename T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) {
    const auto j = static_cast<std::size_t>(rng.uniform_int(0, static_cast<std::int64_t>(i) - 1));
    std::swap(items[i - 1], items[j]);
  }
}

/// Of 0 to `size` - 1.
inline std::vector<int> random_permutation(std::size_t size, Rng& rng) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, rng);
  return order;
}

}  // namespace heddle::test
