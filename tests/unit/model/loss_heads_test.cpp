// Bytes per logit at the loss' backward, by loss head (T V logits; V = 32000).
#include <gtest/gtest.h>

#include "sim/model/fused_loss.h"
#include "tests/unit/model/specs.h"
#include "tests/unit/model/walk.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 1024;
constexpr std::int64_t kLogits = kTokens * 32000;
constexpr std::int64_t kHidden = 4096;

struct Loss {
  std::int64_t worst;   // bytes alive at the log-softmax's backward, outputs included
  std::int64_t output;  // of them the logits that the script holds
};

Loss loss(const ComputeOptions& options) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, options);
  const std::int64_t worst = testing::Walk(g.modules.back()).alive_at("log-softmax backward");
  return {worst + g.output_bytes.value, g.output_bytes.value};
}

// Logits in bf16 2, log-softmax 4, its gradient 4, its input's gradient 4.
TEST(LossHeads, KeptHoldsFourteen) {
  const Loss kept = loss({.loss = LossHead::kKept});
  EXPECT_EQ(kept.worst, 14 * kLogits);
  EXPECT_EQ(kept.output, 2 * kLogits);
}

TEST(LossHeads, DroppedHoldsTwelve) {
  const Loss dropped = loss({.loss = LossHead::kDropped});
  EXPECT_EQ(dropped.worst, 12 * kLogits);
  EXPECT_EQ(dropped.output, 0);
}

// In fp32 the logits are not upcast: 4 + 4 + 4 + 4.
TEST(LossHeads, KeptInFloat32) {
  EXPECT_EQ(loss({.precision = Precision::kFloat32, .loss = LossHead::kKept}).worst, 16 * kLogits);
}

// 2 + 4 + 8/8 = 7.
TEST(LossHeads, ChunkedInEight) {
  const Loss chunked = loss({.loss = LossHead::kChunked, .loss_chunks = 8});
  EXPECT_EQ(chunked.worst, 7 * kLogits);
  EXPECT_EQ(chunked.output, 2 * kLogits);
}

// Compiled with the model: logits 2, and 8/8 of one piece. The script's logits are those that the
// loss saves, so they count once: 3.
TEST(LossHeads, ChunkedAndCompiled) {
  const Loss chunked = loss({.loss = LossHead::kChunked, .loss_chunks = 8, .compiled = true});
  EXPECT_EQ(chunked.worst, 3 * kLogits);
  EXPECT_EQ(chunked.output, 0);
}

// 1024 positions in 3: 342, 342, 340. The first backward is the last piece's: 2 T + 4 T + 8 x 340;
// the second: 2 T + 4 x 684 + 8 x 342 and the first one's gradient, 2 x 340.
TEST(LossHeads, ChunkedUnevenly) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens},
                                   ComputeOptions{.loss = LossHead::kChunked, .loss_chunks = 3});
  const Module& m = g.modules.back();
  ASSERT_EQ(m.saved.size(), 3U);
  EXPECT_EQ(m.saved[2].bytes.value, 340 * 32000 * 4);
  EXPECT_EQ(testing::Walk(m).alive_at("log-softmax backward"), (4 * 1024 + 8 * 340) * 32000);
  EXPECT_EQ(m.backward[4].transient().value, (8 * 342 + 2 * 340) * 32000);
}

// More pieces than positions: one position each.
TEST(LossHeads, NoMorePiecesThanPositions) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 4},
                                   ComputeOptions{.loss = LossHead::kChunked, .loss_chunks = 8});
  EXPECT_EQ(g.modules.back().saved.size(), 4U);
}

// Logits 2, gradient 2; maximum and sum of each row, 8.
TEST(LossHeads, CompiledHoldsFour) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens},
                                   ComputeOptions{.loss = LossHead::kCompiled});
  EXPECT_EQ(testing::Walk(g.modules.back()).alive_at("cross-entropy backward"),
            4 * kLogits + 8 * kTokens);
  EXPECT_EQ(g.output_bytes.value, 0);
}

// ceil(32000 / 4096) = 8 factors, 1024 / 8 = 128 positions at a time.
TEST(LossHeads, FusedPieces) {
  EXPECT_EQ(fused_loss_piece(1024, 32000, 4096), 128);
  EXPECT_EQ(fused_loss_piece(1000, 32000, 4096), 128);   // 125, to the next power of two
  EXPECT_EQ(fused_loss_piece(8192, 128256, 4096), 256);  // 32 factors
}

// Worst in forward: both gradients (2 T h and 2 V h), what the norm keeps without its output
// (6 h + 4 per token), and the norm's output 2 h; logits of 128 positions in bf16 and fp32.
TEST(LossHeads, FusedHoldsNoLogits) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens},
                                   ComputeOptions{.loss = LossHead::kFused});
  const Module& head = g.modules[g.modules.size() - 2];
  const testing::Walk walk(head);
  const std::int64_t gradients = 2 * kTokens * kHidden + std::int64_t{2} * 32000 * kHidden;
  EXPECT_EQ(walk.before_backward(), gradients + kTokens * (6 * kHidden + 4));
  EXPECT_EQ(walk.alive_at("piece of cross-entropy"),
            walk.before_backward() + kTokens * 2 * kHidden + std::int64_t{128} * 32000 * 6);
  EXPECT_EQ(g.output_bytes.value, 0);
  // Three products of T x V x h, all in forward.
  EXPECT_DOUBLE_EQ(testing::gemm_flops(head.forward), 3 * 2.0 * 1024 * 32000 * 4096);
  EXPECT_DOUBLE_EQ(testing::gemm_flops(head.backward), 0);
}

}  // namespace
}  // namespace heddle::model
