// Numbers of placements worked out by hand from the machines' symmetries.

#include "sim/run/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/collective_machines.h"

namespace heddle::run {
namespace {

using fabric::DeviceId;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::SizeIs;

std::vector<std::vector<DeviceId>> placements(const fabric::Fabric& fabric,
                                              const PlacementRequest& request) {
  Diagnostics problems;
  const auto found = distinct_placements(fabric, request, problems);
  HEDDLE_CHECK(found.has_value(), format(problems.all().front()));
  EXPECT_TRUE(found->complete);
  return found->found;
}

auto gpus_are(std::initializer_list<std::size_t> numbers) {
  return ElementsAreArray(test::gpus(numbers));
}

TEST(Placement, TwoQuadsTellFourGpusApartByHowManySitInEach) {
  // Of 70 sets: 4 + 0, 3 + 1 and 2 + 2.
  const auto found = placements(test::bridged_quads(test::h200_nvl()), {4, {}, {}});
  EXPECT_THAT(found,
              ElementsAre(gpus_are({0, 1, 2, 3}), gpus_are({0, 1, 2, 4}), gpus_are({0, 1, 4, 5})));
}

TEST(Placement, TwoGpusAreInOneQuadOrInTwo) {
  const auto found = placements(test::bridged_quads(test::h200_nvl()), {2, {}, {}});
  EXPECT_THAT(found, ElementsAre(gpus_are({0, 1}), gpus_are({0, 4})));
}

TEST(Placement, AllGpusAreOnePlacement) {
  EXPECT_THAT(placements(test::bridged_quads(test::h200_nvl()), {8, {}, {}}), SizeIs(1));
}

TEST(Placement, GpusBelowOneSwitchAreAlike) {
  EXPECT_THAT(placements(test::pcie_node({}), {2, {}, {}}), ElementsAre(gpus_are({0, 1})));
}

TEST(Placement, BusyGpusAreNotUsedButDoNotSplitPlacements) {
  const auto found = placements(test::bridged_quads(test::h200_nvl()), {4, test::gpus({0, 5}), {}});
  // No whole quad is left.
  EXPECT_THAT(found, ElementsAre(gpus_are({1, 2, 3, 4}), gpus_are({1, 2, 4, 6})));
}

TEST(Placement, ASlowGpuTellsItsSetsApart) {
  const fabric::Fabric fabric = test::bridged_quads(test::h200_nvl());
  fabric::Marks marks(fabric.devices().size(), 0);
  marks[3] = 1;
  // 4 + 0: the quad with GPU 3 or without; 3 + 1: three in the slow quad with it or without, or
  // one, it or another; 2 + 2: with it or without.
  EXPECT_THAT(placements(fabric, {4, {}, marks}), SizeIs(2 + 4 + 2));
}

/// Rings of NVLinks: every GPU has two neighbours, so refinement alone sees no difference.
fabric::Fabric rings(std::initializer_list<std::size_t> sizes) {
  fabric::FabricBuilder builder("rings", "H200");
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    for (std::size_t i = 0; i < size; ++i) {
      const int number = static_cast<int>(first + i);
      builder.add_device({fabric::DeviceKind::kGpu, "gpu" + std::to_string(number), 0, 0, number});
    }
    for (std::size_t i = 0; i < size; ++i) {
      builder.add_duplex({DeviceId(first + i),
                          DeviceId(first + (i + 1) % size),
                          fabric::LinkKind::kNvlink,
                          test::mb_per_s(100'000),
                          {},
                          4});
    }
    first += size;
  }
  return test::frozen(std::move(builder));
}

TEST(Placement, WhatRefinementCannotTellApartIsDecidedExactly) {
  // A ring of six and two of three: one GPU sits in the one or in the others.
  EXPECT_THAT(placements(rings({6, 3, 3}), {1, {}, {}}), ElementsAre(gpus_are({0}), gpus_are({6})));
  // Pairs on a ring of six are one, two or three apart.
  EXPECT_THAT(placements(rings({6}), {2, {}, {}}), SizeIs(3));
}

TEST(Placement, MoreGpusThanAreFreeIsAnError) {
  Diagnostics problems;
  const fabric::Fabric fabric = test::pcie_node({});
  EXPECT_FALSE(distinct_placements(fabric, {4, test::gpus({1}), {}}, problems));
  ASSERT_THAT(problems.all(), SizeIs(1));
  EXPECT_EQ(problems.all().front().message, "4 GPUs are asked for; 3 of 4 are free");
}

}  // namespace
}  // namespace heddle::run
