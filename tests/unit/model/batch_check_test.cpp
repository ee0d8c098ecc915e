#include "sim/model/batch_check.h"

#include <gtest/gtest.h>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

TEST(BatchCheck, AcceptsWhatCanBeBuilt) {
  auto spec = testing::mistral_7b();
  spec.sliding_window = 4096;
  EXPECT_EQ(batch_problem(spec, {1, 4096}), "");
  EXPECT_EQ(batch_problem(testing::dinov2_base(), {256, 0}), "");
}

TEST(BatchCheck, RefusesTheRest) {
  auto spec = testing::mistral_7b();
  EXPECT_NE(batch_problem(spec, {0, 1024}), "");
  EXPECT_NE(batch_problem(spec, {1, 1}), "");
  EXPECT_NE(batch_problem(spec, {1'000'000'000, 1024}), "");
  spec.sliding_window = 4096;
  EXPECT_NE(batch_problem(spec, {1, 4097}).find("sliding window"), std::string::npos);
}

// 12 heads: 2^20 tokens are 12 x 2^40 scores, below 2^44; 2^21 are four times that.
TEST(BatchCheck, RefusesScoresNoMachineHolds) {
  auto spec = testing::gpt2();
  spec.positions = 0;
  EXPECT_EQ(scores_problem(spec, {1, 1 << 20}, Attention::kEager), "");
  EXPECT_NE(scores_problem(spec, {1, 1 << 21}, Attention::kEager).find("sdpa"), std::string::npos);
  EXPECT_EQ(scores_problem(spec, {1, 1 << 21}, Attention::kSdpa), "");
}

}  // namespace
}  // namespace heddle::model
