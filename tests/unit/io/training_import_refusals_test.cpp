// What a framework's file means but the planners do not model is refused by name; what two files
// say differently is a conflict.

#include <gmock/gmock.h>

#include <map>

#include "scenarios.h"

namespace heddle::io {
namespace {

using parallel::OptimizerKernel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Read {
  std::optional<run::Scenario> scenario;
  std::vector<std::string> errors;
  const run::StrategyChoice& choice() const { return scenario->strategies.at(0); }
};

/// A scenario with a strategy from `first` and, unless it is empty, one from `second`.
Read read_from(const std::string& first, const std::string& training = "",
               const std::string& second = "") {
  const std::string text = R"({"schema": "heddle.scenario/1", "name": "s",
    "model": {"name": "tiny", "config": "models/tiny.json"},
    "training": {"micro_batch": 2, "sequence_length": 128, "precision": "bf16")" +
                           training + R"(},
    "host": {"per_dispatch": "5 us", "per_collective": "1.5 us"},
    "fabrics": [{"id": "fast", "node": "8xH200-SXM", "gpus": [0, 1]}],
    "strategies": [{"id": "a", "from": "first"})" +
                           (second.empty() ? "" : R"(, {"id": "b", "from": "second"})") + "]}";
  const std::map<std::string, std::string> files{{"first", first}, {"second", second}};
  const auto read = [&](const std::string& path) -> std::string {
    if (path.ends_with("tiny.json")) return kDecoderConfig;
    return files.at(path.substr(path.rfind('/') + 1));
  };
  Diagnostics out;
  Read result{read_scenario(text, "scenario.json", {}, read, out), {}};
  for (const Diagnostic& d : out.all()) {
    if (d.severity == Severity::kError) result.errors.push_back(format(d));
  }
  return result;
}

/// TrainingArguments with FSDP (`fsdp`) or, where that is "", DDP.
std::string trainer(const std::string& more, const std::string& fsdp = "full_shard auto_wrap") {
  return R"({"output_dir": "x", "fsdp": ")" + fsdp + R"(", "ddp_find_unused_parameters": false)" +
         (more.empty() ? "" : ", ") + more + "}";
}

std::string fsdp_yaml(const std::string& policy, const std::string& top = "") {
  return "distributed_type: FSDP\n" + top + "fsdp_config:\n  fsdp_sharding_strategy: FULL_SHARD\n" +
         policy;
}

const std::string kWrap = "  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n";

TEST(FsdpAccumulation, IsRefusedUnlessEachBatchIsSynchronized) {
  EXPECT_THAT(read_from(trainer(R"("gradient_accumulation_steps": 4)")).errors,
              ElementsAre(AllOf(HasSubstr("no_sync"), HasSubstr("sync_each_batch"))));
  EXPECT_THAT(read_from(trainer(R"("gradient_accumulation_steps": 4, "accelerator_config":
                {"gradient_accumulation_kwargs": {"sync_each_batch": true}})"))
                  .errors,
              ElementsAre());
  EXPECT_THAT(read_from(trainer("")).errors, ElementsAre());
}

TEST(FsdpAccumulation, IsRefusedWithAccelerate) {
  EXPECT_THAT(read_from(fsdp_yaml(kWrap)).errors, ElementsAre());
  EXPECT_THAT(read_from(fsdp_yaml(kWrap), R"(, "accumulation": 2)").errors,
              ElementsAre(HasSubstr("no_sync")));
  EXPECT_THAT(read_from(fsdp_yaml(kWrap, "gradient_accumulation_steps: 2\n")).errors,
              ElementsAre(HasSubstr("no_sync")));
}

TEST(FsdpWrapping, OneUnitForTheModelIsRefused) {
  const auto refused = ElementsAre(HasSubstr("one unit for the whole model"));
  EXPECT_THAT(read_from(trainer("", "full_shard")).errors, refused);
  EXPECT_THAT(read_from(fsdp_yaml("")).errors, refused);
  EXPECT_THAT(read_from(fsdp_yaml("  fsdp_auto_wrap_policy: NO_WRAP\n")).errors, refused);
}

TEST(FsdpWrapping, BySizeIsRefused) {
  const auto refused = ElementsAre(HasSubstr("units other than the model's layers"));
  EXPECT_THAT(read_from(trainer(R"("fsdp_min_num_params": 1000)")).errors, refused);
  EXPECT_THAT(read_from(trainer(R"("fsdp_config": {"min_num_params": 1000})")).errors, refused);
}

TEST(TrainerBatch, TheOldNameGoesFirst) {
  const std::string both = R"("per_gpu_train_batch_size": 4, "per_device_train_batch_size": 2)";
  EXPECT_THAT(read_from(trainer(both)).errors, ElementsAre(HasSubstr("training.micro_batch = 4")));
}

TEST(TrainerBatch, AcceleratorSettingsAreRefusedByName) {
  EXPECT_THAT(read_from(trainer(R"("split_batches": true)")).errors,
              ElementsAre(HasSubstr("split_batches")));
  EXPECT_THAT(
      read_from(trainer(R"("accelerator_config": {"split_batches": true, "other": 1})")).errors,
      AllOf(Contains(HasSubstr("accelerator_config.split_batches")),
            Contains(HasSubstr("accelerator_config.other"))));
  EXPECT_THAT(read_from(trainer(R"("accelerator_config": "a.json")")).errors,
              ElementsAre(HasSubstr("accelerator_config")));
}

TEST(AccelerateConfig, NoDistributionIsOneGpu) {
  const Read read = read_from("distributed_type: 'NO'\nmixed_precision: 'no'\n");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "single");
  EXPECT_EQ(read.choice().dialect, "pytorch");
}

TEST(Adafactor, StepsTensorByTensor) {
  for (const std::string& config :
       {trainer(R"("optim": "adafactor")"),
        std::string(R"({"bf16": {"enabled": true}, "zero_optimization": {"stage": 1},
                        "optimizer": {"type": "Adafactor"}})")}) {
    const Read read = read_from(config);
    ASSERT_THAT(read.errors, ElementsAre());
    EXPECT_EQ(read.scenario->training.optimizer.kernel, OptimizerKernel::kForLoop);
  }
}

TEST(TrainerCompute, FilesThatDisagreeAreInConflict) {
  for (const std::string key : {"gradient_checkpointing", "torch_compile", "use_liger_kernel"}) {
    const std::string on = trainer('"' + key + R"(": true)");
    EXPECT_THAT(read_from(on, "", trainer("")).errors, Contains(HasSubstr("second"))) << key;
    EXPECT_THAT(read_from(trainer(""), "", on).errors, Contains(HasSubstr("second"))) << key;
    EXPECT_THAT(read_from(on, "", on).errors, ElementsAre()) << key;
  }
}

TEST(TrainerCompute, SilenceLeavesTheScenarios) {
  const std::string full = R"(, "checkpointing": "full")";
  EXPECT_THAT(read_from(trainer(""), full).errors, ElementsAre());
  EXPECT_THAT(read_from(trainer(R"("gradient_checkpointing": false)"), full).errors,
              ElementsAre(HasSubstr("training.checkpointing = \"none\"")));
}

TEST(TrainerCompute, VariantsAreRefused) {
  EXPECT_THAT(read_from(trainer(R"("gradient_checkpointing": true,
                "gradient_checkpointing_kwargs": {"use_reentrant": false})"))
                  .errors,
              ElementsAre(HasSubstr("re-entrant")));
  EXPECT_THAT(read_from(trainer(R"("torch_compile_mode": "max-autotune")")).errors,
              ElementsAre(HasSubstr("torch_compile_mode")));
}

TEST(TrainerDdp, TheSearchForUnusedParametersIsRefused) {
  const auto refused = ElementsAre(HasSubstr("ddp_find_unused_parameters"));
  EXPECT_THAT(read_from(R"({"output_dir": "x"})").errors, refused);
  EXPECT_THAT(read_from(R"({"output_dir": "x", "ddp_find_unused_parameters": true,
                            "gradient_checkpointing": true})")
                  .errors,
              refused);
  EXPECT_THAT(read_from(R"({"output_dir": "x", "gradient_checkpointing": true})").errors,
              ElementsAre());
  EXPECT_THAT(read_from(trainer("", "")).errors, ElementsAre());
}

std::string deepspeed(const std::string& more) {
  return R"({"bf16": {"enabled": true}, "zero_optimization": {"stage": 3)" + more;
}

TEST(DeepSpeedConfig, TheLargestIntegerIsItself) {  // 2^63 - 1, sys.maxsize: DeepSpeed's default
  EXPECT_THAT(
      read_from(deepspeed(R"(, "stage3_model_persistence_threshold": 9223372036854775807}})"))
          .errors,
      ElementsAre());
}

TEST(DeepSpeedConfig, TextsThatAreNoNumberAreReported) {
  EXPECT_THAT(read_from("distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 2\n"
                        "  gradient_clipping: much\n")
                  .errors,
              ElementsAre(HasSubstr("must be a number")));
  EXPECT_THAT(read_from(deepspeed(R"(}, "optimizer": {"type": "SGD",
                "params": {"momentum": "some"}}})"))
                  .errors,
              ElementsAre(HasSubstr("must be a number")));
}

TEST(DeepSpeedConfig, UnknownKeysOfSectionsAreErrors) {
  const Read read = read_from(R"({"bf16": {"enabled": true, "one": 1}, "zero_optimization": {},
    "optimizer": {"type": "Adam", "two": 2, "params": {"lr": 1e-4, "three": 3}}})");
  EXPECT_THAT(read.errors,
              AllOf(Contains(HasSubstr("bf16.one")), Contains(HasSubstr("optimizer.two")),
                    Contains(HasSubstr("optimizer.params.three"))));
}

}  // namespace
}  // namespace heddle::io
