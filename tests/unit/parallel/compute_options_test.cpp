// Every strategy plans every way to run the model that it does not refuse: each buffer is freed
// once, nothing is left, steps repeat.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/schedule/schedule_check.h"
#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using model::ComputeOptions;

std::vector<ComputeOptions> ways_to_run() {
  std::vector<ComputeOptions> all{
      {.attention = model::Attention::kEager},
      {.attention = model::Attention::kGrouped},
      {.checkpointing = model::Checkpointing::kFull},
      {.checkpointing = model::Checkpointing::kSelective},
      {.checkpointing = model::Checkpointing::kEvery},
      {.attention = model::Attention::kEager, .checkpointing = model::Checkpointing::kFull},
      {.precision = model::Precision::kAutocast, .checkpointing = model::Checkpointing::kFull},
      {.compiled = true},
      {.fused_norm = true, .fused_mlp = true},
      {.kv_cache = true},
      {.checkpointing = model::Checkpointing::kFull, .kv_cache = true},
  };
  for (const model::LossHead loss :
       {model::LossHead::kKept, model::LossHead::kDropped, model::LossHead::kCompiled,
        model::LossHead::kChunked, model::LossHead::kFused}) {
    all.push_back({.loss = loss});
  }
  all.push_back({.precision = model::Precision::kAutocast, .loss = model::LossHead::kFused});
  all.push_back({.lora = {.rank = 4, .targets = {"q_proj", "v_proj"}}});
  return all;
}

schedule::Schedule plan(const StrategyEntry& entry, const std::string& dialect,
                        const ComputeOptions& options, testing::Setting setting) {
  setting.spec.kv_heads = 2;  // repeated, so that a cache is tensors of its own
  const auto graph = model::build_model_graph(setting.spec, {2, 8}, options);
  const auto strategy = entry.make(dialect);
  const PlanInput input{graph, setting.training, setting.options, testing::kWorkspace,
                        setting.ranks};
  if (!strategy->refusal(input).empty()) return {};
  return strategy->plan(input);
}

class EveryWayToRun : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryWayToRun, GivesASoundSchedule) {
  const ComputeOptions options = ways_to_run()[GetParam()];
  int planned = 0;
  for (const StrategyEntry& entry : strategies()) {
    for (const std::string& dialect : entry.dialects) {
      for (const bool keep_outputs : {false, true}) {
        testing::Setting setting;
        setting.ranks = 1;
        setting.training.keep_outputs = keep_outputs;
        const schedule::Schedule s = plan(entry, dialect, options, setting);
        if (s.programs.empty()) continue;
        ++planned;
        EXPECT_THAT(schedule::check_schedule(s), ::testing::IsEmpty()) << entry.name << dialect;
      }
    }
  }
  EXPECT_GT(planned, 0);
}

INSTANTIATE_TEST_SUITE_P(Options, EveryWayToRun,
                         ::testing::Range(std::size_t{0}, ways_to_run().size()));

/// L: the loss begins, A and F: outputs are made and let go, S: the step ends.
std::string life_of_outputs(model::LossHead loss) {
  testing::Setting setting;
  setting.ranks = 1;
  const schedule::Schedule s = plan(*find_strategy("ddp"), "pytorch-ddp", {.loss = loss}, setting);
  std::string events;
  bool in_loss = false;
  for (const schedule::Op& op : s.programs[0].ops) {
    const bool memory = op.kind == schedule::OpKind::kAlloc || op.kind == schedule::OpKind::kFree;
    if (memory && s.label(s.buffers[op.arg].label).name == "model outputs") {
      events += op.kind == schedule::OpKind::kAlloc ? 'A' : 'F';
    } else if (op.kind == schedule::OpKind::kMark &&
               s.marks[op.arg].kind == schedule::Mark::Kind::kStepEnd) {
      events += 'S';
      in_loss = false;
    } else if (s.label(op.label).phase == schedule::Phase::kLoss && !in_loss) {
      events += 'L';
      in_loss = true;
    }
  }
  return events;
}

// A script's `outputs = model(batch)` lets go of what the call before returned when the call is
// over: after the loss where the model computes it, before it where the script does.
TEST(KeptOutputs, LiveThroughTheNextForward) {
  EXPECT_EQ(life_of_outputs(model::LossHead::kReturned), "LASLAFS");
  EXPECT_EQ(life_of_outputs(model::LossHead::kKept), "LASFLAS");
}

}  // namespace
}  // namespace heddle::parallel
