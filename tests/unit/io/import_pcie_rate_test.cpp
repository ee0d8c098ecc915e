// NCCL's table in units of 100 Mbit/s per lane, 15 30 60 120 240 480, times 16 lanes / 80.

#include "sim/io/import/pcie_rate.h"

#include <gtest/gtest.h>

namespace heddle::io {
namespace {

constexpr std::int64_t kGb = 1'000'000'000;

TEST(PcieRate, ReadsTheKernelsOldAndNewForms) {
  EXPECT_EQ(pcie_generation("2.5 GT/s PCIe"), 1);
  EXPECT_EQ(pcie_generation("5 GT/s"), 2);
  EXPECT_EQ(pcie_generation("8.0 GT/s PCIe"), 3);
  EXPECT_EQ(pcie_generation("16 GT/s"), 4);
  EXPECT_EQ(pcie_generation("32.0 GT/s PCIe"), 5);
  EXPECT_EQ(pcie_generation("64.0 GT/s PCIe"), 6);
  EXPECT_FALSE(pcie_generation(""));
  EXPECT_FALSE(pcie_generation("Unknown"));
  EXPECT_FALSE(pcie_generation("7 GT/s"));
}

TEST(PcieRate, FollowsNcclsRule) {
  EXPECT_EQ(nccl_pcie_bandwidth(1, 16), 3 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(2, 16), 6 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(3, 16), 12 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(4, 8), 12 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(6, 16), 96 * kGb);
  EXPECT_FALSE(nccl_pcie_bandwidth(4, 0));
  EXPECT_FALSE(nccl_pcie_bandwidth(std::nullopt, 16));
}

TEST(PcieRate, KnowsTheSameFromLineRates) {
  // 16 lanes x 8 GT/s x 128/130 / 8 = 15.753846 GB/s; 4 lanes x 2.5 GT/s x 8/10 / 8 = 1 GB/s.
  EXPECT_EQ(nccl_pcie_bandwidth(15.753846), 12 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(3.938462), 3 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(1.0), 750'000'000);
  // A data sheet rounds 63.015385 to 63; Gen6 x16 is 121.
  EXPECT_EQ(nccl_pcie_bandwidth(63.0), 48 * kGb);
  EXPECT_EQ(nccl_pcie_bandwidth(121.0), 96 * kGb);
  EXPECT_FALSE(nccl_pcie_bandwidth(0.0));
}

}  // namespace
}  // namespace heddle::io
