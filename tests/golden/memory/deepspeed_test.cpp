// What users report of DeepSpeed and find hard to believe, out of the planners by itself. Peaks are
// of allocated memory in the last of two steps, bf16, AdamW foreach; P parameters, N ranks, R the
// reduce bucket of 5e8 elements = 1 GB.

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "sim/parallel/strategy.h"

namespace heddle::test {
namespace {

/// Llama-3.2-1B's shape with a head of its own, over a vocabulary of 32000: 1.10e9 parameters.
model::ModelSpec one_billion() {
  model::ModelSpec spec;
  spec.name = "one-billion";
  spec.hidden = 2048;
  spec.layers = 16;
  spec.heads = 32;
  spec.kv_heads = 8;
  spec.head_dim = 64;
  spec.ffn = 8192;
  spec.vocab = 32000;
  return spec;
}

/// A tenth of it: 1.1e8 parameters.
model::ModelSpec one_hundred_million() {
  model::ModelSpec spec = one_billion();
  spec.name = "one-hundred-million";
  spec.hidden = 768;
  spec.layers = 9;
  spec.heads = 12;
  spec.kv_heads = 12;
  spec.ffn = 2048;
  return spec;
}

struct Setting {
  model::ModelSpec model;
  int ranks = 1;
  parallel::TrainingSpec training = {};
  parallel::DialectOptions options = {};
};

Setting of(const model::ModelSpec& model, int ranks) {
  Setting setting;
  setting.model = model;
  setting.ranks = ranks;
  return setting;
}

double gb(std::int64_t bytes) {
  return static_cast<double>(bytes) / 1e9;
}

/// Highest allocated bytes of the last step, in GB.
double peak(const Setting& setting, std::string_view strategy) {
  const auto graph = model::build_model_graph(setting.model, {1, 256}, model::Precision::kBFloat16);
  const Bytes workspace = mebibytes(32);
  const auto schedule =
      parallel::find_strategy(strategy)
          ->make("deepspeed")
          ->plan({graph, setting.training, setting.options, workspace, setting.ranks});
  std::int64_t live = 0;
  std::int64_t highest = 0;
  for (const schedule::Op& op : schedule.programs[0].ops) {
    const bool begins = op.kind == schedule::OpKind::kMark &&
                        schedule.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin;
    if (begins) highest = live;
    if (op.kind == schedule::OpKind::kAlloc) live += schedule.buffers[op.arg].bytes.value;
    if (op.kind == schedule::OpKind::kFree) live -= schedule.buffers[op.arg].bytes.value;
    highest = std::max(highest, live);
  }
  return gb(highest);
}

/// The step takes 2P + 20 P/N in stage 2 and 16 P/N + R + 8 P/N in stage 3, whose bucket is never
/// dropped: on two ranks both are 12P, and stage 3 is above by its bucket. It pays from 16 P/N on.
TEST(DeepSpeedReversal, ZeroThreeAboveZeroTwoOnTwoRanks) {
  Setting setting = of(one_billion(), 2);
  EXPECT_GT(peak(setting, "zero3"), peak(setting, "zero2") + 0.9);
  setting.options.deepspeed.reduce_bucket_size = 1'000'000;  // the cause taken away
  EXPECT_NEAR(peak(setting, "zero3"), peak(setting, "zero2"), 0.1);
  setting = of(one_billion(), 16);
  EXPECT_LT(peak(setting, "zero3"), peak(setting, "zero2"));
}

/// A model smaller than max_live and the bucket is hardly sharded: from its forward on stage 3
/// holds most of it gathered (2P), and its only bucket is concatenated (2P), beside the bucket that
/// stays. Stage 2 has 2P of weights and a flat copy of its bucket (2P), too, but drops the bucket.
/// From eight ranks on sharding wins.
TEST(DeepSpeedReversal, ZeroThreeAboveZeroTwoForASmallModel) {
  for (const int ranks : {1, 2, 4}) {
    const Setting setting = of(one_hundred_million(), ranks);
    EXPECT_GT(peak(setting, "zero3"), peak(setting, "zero2")) << ranks << " ranks";
  }
  const Setting many = of(one_hundred_million(), 16);
  EXPECT_LT(peak(many, "zero3"), peak(many, "zero2"));
}

/// With accumulation stage 2 makes a new gradient partition (2 P/N) in every micro-batch beside the
/// averaged one (2 P/N): on two ranks that is all of stage 1's 2P. It reduces in every backward,
/// with a flat copy of the bucket, while stage 1 has only gradients there and reduces in the last.
TEST(DeepSpeedReversal, ZeroTwoAboveZeroOneOnTwoRanksWithAccumulation) {
  Setting setting = of(one_billion(), 2);
  setting.training.accumulation = 4;
  setting.options.deepspeed.overlap_comm = true;
  EXPECT_GT(peak(setting, "zero2"), peak(setting, "zero1"));
  setting.ranks = 8;
  EXPECT_LT(peak(setting, "zero2"), peak(setting, "zero1"));
}

/// DeepSpeed's own examples switch overlap_comm on with stage 2 and leave it off with stage 1. Its
/// second bucket and the flat copy of the first are 2 R more, above the 2P that stage 1 holds.
TEST(DeepSpeedReversal, ZeroTwoWithOverlapAboveZeroOneWithout) {
  const Setting plain = of(one_hundred_million(), 8);
  Setting overlapped = plain;
  overlapped.options.deepspeed.overlap_comm = true;
  EXPECT_NEAR(peak(overlapped, "zero2"), peak(plain, "zero1") + 1.0, 0.1);
}

}  // namespace
}  // namespace heddle::test
