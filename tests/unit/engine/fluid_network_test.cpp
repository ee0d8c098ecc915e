#include "sim/engine/fluid_network.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

constexpr std::int64_t kOne = 1'000'000'000;
constexpr Bandwidth kNoCap{std::numeric_limits<std::int64_t>::max()};
constexpr Bandwidth kGigabyte{1'000'000'000};

ResourceUse use(std::size_t resource, std::int64_t weight = kOne) {
  return {ResourceId{resource}, weight};
}

// 1 GB/s is 1 byte per 1000 ps. Two of 3000 bytes share until the first, of 1000 bytes, is done:
// it needs 2 us; then the other has 2000 bytes left at the full rate, 2 us more.
TEST(FluidNetwork, SpeedsUpWhenAnotherLeaves) {
  const std::array capacities{kGigabyte};
  FluidNetwork network(capacities);
  const std::array uses{use(0)};
  const ActivityId small = network.add(Bytes{1000}, kNoCap, uses);
  const ActivityId large = network.add(Bytes{3000}, kNoCap, uses);
  network.solve();
  EXPECT_EQ(network.time_left(small), microseconds(2));
  EXPECT_EQ(network.time_left(large), microseconds(6));
  network.advance(microseconds(2));
  EXPECT_EQ(network.time_left(small), Duration{0});
  network.remove(small);
  network.solve();
  EXPECT_EQ(network.active_count(), 1);
  EXPECT_EQ(network.rate(large), kGigabyte);
  EXPECT_EQ(network.time_left(large), microseconds(2));
}

// 7 bytes at 3 bytes per second: 7/3 s = 2 333 333 333 333.3 ps, rounded up.
TEST(FluidNetwork, RoundsTheEndUp) {
  const std::array capacities{Bandwidth{3}};
  FluidNetwork network(capacities);
  const std::array uses{use(0)};
  const ActivityId id = network.add(Bytes{7}, kNoCap, uses);
  network.solve();
  EXPECT_EQ(network.time_left(id), Duration{2'333'333'333'334});
  network.advance(Duration{1});
  EXPECT_EQ(network.time_left(id), Duration{2'333'333'333'333});
}

TEST(FluidNetwork, LeavesOtherComponentsAlone) {
  const std::array capacities{kGigabyte, kGigabyte};
  FluidNetwork network(capacities);
  const std::array first{use(0)};
  const std::array second{use(1)};
  network.add(Bytes{1000}, kNoCap, first);
  network.solve();
  const ActivityId other = network.add(Bytes{1000}, kNoCap, second);
  network.solve();
  ASSERT_EQ(network.changed().size(), 1U);
  EXPECT_EQ(network.changed()[0], other);
  network.solve();
  EXPECT_TRUE(network.changed().empty());
}

// Weights 1.5 and 0.5 at rate 0.5 GB/s each fill the link exactly.
TEST(FluidNetwork, ReportsWeightedLoad) {
  const std::array capacities{kGigabyte};
  FluidNetwork network(capacities);
  const std::array heavy{use(0, 3 * kOne / 2)};
  const std::array light{use(0, kOne / 2)};
  const ActivityId a = network.add(Bytes{1000}, kNoCap, heavy);
  network.add(Bytes{1000}, kNoCap, light);
  network.solve();
  EXPECT_EQ(network.rate(a), Bandwidth{500'000'000});
  EXPECT_EQ(network.load(ResourceId{std::size_t{0}}), kGigabyte);
}

TEST(FluidNetwork, ReusesIdsOfTheRemoved) {
  const std::array capacities{kGigabyte};
  FluidNetwork network(capacities);
  const std::array uses{use(0)};
  const ActivityId first = network.add(Bytes{1000}, kNoCap, uses);
  network.remove(first);
  const ActivityId second = network.add(Bytes{2000}, Bandwidth{1'000'000}, uses);
  network.solve();
  EXPECT_EQ(first, second);
  EXPECT_EQ(network.time_left(second), milliseconds(2));  // the cap, 1 MB/s
}

TEST(FluidNetwork, RefusesMisuse) {
  const std::array capacities{Bandwidth{0}};
  FluidNetwork network(capacities);
  const std::array uses{use(0)};
  EXPECT_THROW(network.add(Bytes{0}, kNoCap, uses), InternalError);
  EXPECT_THROW(network.add(Bytes{1}, Bandwidth{0}, uses), InternalError);
  const ActivityId starved = network.add(Bytes{1}, kNoCap, uses);
  network.solve();
  EXPECT_THROW(network.time_left(starved), InternalError);
  network.remove(starved);
  EXPECT_THROW(network.remove(starved), InternalError);
}

}  // namespace
}  // namespace heddle::engine
