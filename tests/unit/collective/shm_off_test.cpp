// One machine whose GPUs may use neither peer-to-peer nor host memory: every hop goes out through a
// NIC and in again, and is timed as the network is. Simple, a hop of 14 us and twice the wire's 2
// us, three times as long as NCCL believes; sync 16 us.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

class ShmOff : public ::testing::Test {
 protected:
  CollectiveCost cost(CollectiveKind kind, std::optional<Algorithm> algorithm = std::nullopt) {
    CommSettings settings;
    settings.p2p = settings.shm = false;
    settings.algorithm = algorithm;
    settings.protocol = Protocol::kSimple;
    NcclTuning tuning = test::hopper();
    tuning.timing.network = {{3, 3, 3}, microseconds(16), milliseconds(100)};
    const auto all = test::all_gpus(fabric_);
    return test::model_of(fabric_, {all[0], all[1]}, settings, tuning).cost({kind, gigabytes(1)});
  }

  fabric::Fabric fabric_ = test::cluster_fabric({.nodes = 2, .gpus = 2, .nics = 2});
};

TEST_F(ShmOff, ARingsStepsAreTheNetworks) {
  EXPECT_EQ(cost(CollectiveKind::kAllGather, Algorithm::kRing).latency,
            nanoseconds(8'400 + 3 * 18'000));
}

// Up and down one hop.
TEST_F(ShmOff, ATreesHopsAreTheNetworks) {
  EXPECT_EQ(cost(CollectiveKind::kAllReduce, Algorithm::kTree).latency,
            nanoseconds(8'400 + 3 * 2 * 18'000));
}

// 1 GB over a NIC of 50 GB/s at 0.955.
TEST_F(ShmOff, PointToPointWaitsLikeTheNetwork) {
  const CollectiveCost found = cost(CollectiveKind::kSendRecv);
  EXPECT_EQ(found.latency, nanoseconds(8'400 + 3 * 18'000));
  const double transfer = 1 / 47.75;
  EXPECT_NEAR((found.total - found.latency).seconds(), transfer + 2 * std::sqrt(16e-6 * transfer),
              1e-9);
}

}  // namespace
}  // namespace heddle::collective
