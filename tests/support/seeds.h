#pragma once
// Runs a property over seeded cases; a failure prints the seed that shows it, and stops there.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace heddle::test {

inline constexpr std::uint64_t kSeeds = 200;

template <typename Property>
void for_each_seed(Property property) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    property(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace heddle::test
