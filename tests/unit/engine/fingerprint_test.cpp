#include "sim/engine/fingerprint.h"

#include <gtest/gtest.h>

namespace heddle::engine {
namespace {

std::string of(SimTime time, std::uint32_t kind, std::uint32_t rank_class, std::uint32_t op) {
  Fingerprint f;
  f.add(time, kind, rank_class, op);
  return f.hex();
}

TEST(Fingerprint, SeesEveryIngredient) {
  const std::string base = of({1}, 2, 3, 4);
  EXPECT_EQ(base, of({1}, 2, 3, 4));
  EXPECT_EQ(base.size(), 16U);
  EXPECT_NE(base, of({2}, 2, 3, 4));
  EXPECT_NE(base, of({1}, 3, 3, 4));
  EXPECT_NE(base, of({1}, 2, 4, 4));
  EXPECT_NE(base, of({1}, 2, 3, 5));
}

TEST(Fingerprint, SeesTheOrder) {
  Fingerprint forwards;
  forwards.add({1}, 0, 0, 0);
  forwards.add({1}, 0, 0, 1);
  Fingerprint backwards;
  backwards.add({1}, 0, 0, 1);
  backwards.add({1}, 0, 0, 0);
  EXPECT_NE(forwards.hex(), backwards.hex());
  EXPECT_EQ(forwards.events(), 2U);
}

}  // namespace
}  // namespace heddle::engine
