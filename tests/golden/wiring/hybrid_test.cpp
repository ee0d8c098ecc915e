// Thirty-two GPUs in four nodes, sharded within a node and replicated across, through the whole
// program. By hand: S = 14.483 GB of weights or gradients in bf16; the one 100 Gbit/s port of a
// node carries 11.86 GB/s (0.949 of the line).

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/printed_json.h"

namespace heddle::test {
namespace {

class HybridSharding : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { steps_ = step_times("scenarios/mistral-7b-4x8xh200.json"); }
  /// Seconds.
  static double step(const std::string& case_id) { return steps_.at(case_id); }
  static std::map<std::string, double> steps_;
};

std::map<std::string, double> HybridSharding::steps_;

// Eight sets of replicas share the port: 2 x 3/4 x S / 11.86 GB/s = 1.832 s, nearly all of it
// exposed; what hides under backward is less than the compute of a step, some 0.12 s.
TEST_F(HybridSharding, OnePortCarriesTheShardsOfAllReplicas) {
  EXPECT_GT(step("ethernet-100g/hybrid"), 1.832);
  EXPECT_LT(step("ethernet-100g/hybrid"), 1.832 + 0.15);
}

// Full sharding sends weights twice and gradients once through every port: 3 x 31/32 S against
// 1.5 S, less what its last group saves, 0.26 GB.
TEST_F(HybridSharding, SparesASlowNetworkMostOfWhatFullShardingSends) {
  const double full = (3 * 31.0 / 32 * 14.483 - 0.26) / 11.86;
  EXPECT_GT(step("ethernet-100g/fsdp"), full);
  EXPECT_GT(step("ethernet-100g/fsdp") / step("ethernet-100g/hybrid"), 1.8);
}

// Every GPU has a port of its own; its shard takes 1.5 S / 8 / 47.75 GB/s = 57 ms, under backward.
TEST_F(HybridSharding, HidesTheReplicasOnAFastNetwork) {
  EXPECT_LT(step("infiniband/hybrid"), step("infiniband/fsdp"));
  EXPECT_LT(step("infiniband/hybrid-zero2"), step("infiniband/hybrid"));
}

}  // namespace
}  // namespace heddle::test
