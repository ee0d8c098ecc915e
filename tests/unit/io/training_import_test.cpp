// What people have becomes a scenario: DeepSpeed, Accelerate, TrainingArguments. The model is
// tiny.json of scenarios.h: hidden size 256.

#include <gmock/gmock.h>

#include "scenarios.h"
#include "sim/io/json_document.h"
#include "sim/io/scenario_writer.h"
#include "sim/io/training_import/yaml_parser.h"

namespace heddle::io {
namespace {

using parallel::OptimizerKernel;
using parallel::OptimizerKind;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct Read {
  std::optional<run::Scenario> scenario;
  std::vector<std::string> errors;
  const run::StrategyChoice& choice() const { return scenario->strategies.at(0); }
};

/// A scenario whose only strategy comes from `config`; `training` are further settings.
Read read_from(const std::string& config, const std::string& precision = "bf16",
               const std::string& training = "", const std::string& other = "") {
  const std::string text = R"({"schema": "heddle.scenario/1", "name": "s",
    "model": {"name": "tiny", "config": "models/tiny.json"},
    "training": {"micro_batch": 2, "sequence_length": 128, "precision": ")" +
                           precision + "\"" + training + R"(},
    "host": {"per_dispatch": "5 us", "per_collective": "1.5 us"},
    "fabrics": [{"id": "fast", "node": "8xH200-SXM", "gpus": [0, 1]}],
    "strategies": [{"from": "config"}]})";
  const auto read = [&](const std::string& path) -> std::string {
    if (path.ends_with("tiny.json")) return kDecoderConfig;
    return path.ends_with("config") ? config : other;
  };
  Diagnostics out;
  Read result{read_scenario(text, "scenario.json", {}, read, out), {}};
  for (const Diagnostic& d : out.all()) {
    if (d.severity == Severity::kError) result.errors.push_back(format(d));
  }
  return result;
}

TEST(DeepSpeedConfig, AutoFollowsTheRuleOfTransformers) {
  const Read read = read_from(R"({"bf16": {"enabled": "auto"},
    "train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto",
    "zero_optimization": {"stage": 3, "reduce_bucket_size": "auto",
      "stage3_prefetch_bucket_size": "auto", "stage3_param_persistence_threshold": "auto"}})");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "zero3");
  EXPECT_EQ(read.choice().dialect, "deepspeed");
  const auto& options = read.choice().options.deepspeed;
  EXPECT_EQ(options.reduce_bucket_size, 65536);    // 256 x 256
  EXPECT_EQ(options.prefetch_bucket_size, 58982);  // int(0.9 x 65536)
  EXPECT_EQ(options.param_persistence_threshold, 2560);
  EXPECT_EQ(options.max_live_parameters, 1'000'000'000);  // absent: DeepSpeed's default
}

TEST(DeepSpeedConfig, FillsInWhatTheScenarioLeavesOpen) {
  const Read read = read_from(R"({"bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 2,
    "gradient_accumulation_steps": 4, "gradient_clipping": 1.0,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
    "zero_optimization": {"stage": 2, "reduce_bucket_size": 2e8, "overlap_comm": true,
      "round_robin_gradients": true}, "steps_per_print": 5, "wandb": {"enabled": true}})");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.scenario->training.accumulation, 4);
  EXPECT_TRUE(read.scenario->training.gradient_clipping);
  EXPECT_EQ(read.scenario->training.optimizer.kernel, OptimizerKernel::kFused);
  EXPECT_EQ(read.choice().options.deepspeed.reduce_bucket_size, 200'000'000);
  EXPECT_TRUE(read.choice().options.deepspeed.overlap_comm);
  EXPECT_TRUE(read.choice().options.deepspeed.round_robin_gradients);
  EXPECT_THAT(read.scenario->assumptions,
              Contains(AllOf(HasSubstr("steps_per_print, "), HasSubstr("wandb"),
                             HasSubstr("neither memory nor time"))));
}

TEST(DeepSpeedConfig, OffloadBecomesTheScenarios) {
  const Read read = read_from(R"({"bf16": {"enabled": true}, "zero_optimization": {"stage": 3,
    "offload_optimizer": {"device": "cpu", "pin_memory": true},
    "offload_param": {"device": "cpu"}}})");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_TRUE(read.scenario->training.offload.optimizer);
  EXPECT_TRUE(read.scenario->training.offload.parameters);
}

TEST(DeepSpeedConfig, Fp16ScalesTheLoss) {
  const Read read = read_from(R"({"fp16": {"enabled": true, "loss_scale": 0,
    "initial_scale_power": 16}, "bf16": {"enabled": false}, "zero_optimization": {"stage": 2}})",
                              "fp16");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.scenario->compute.precision, model::Precision::kFloat16);
  EXPECT_EQ(read.choice().strategy, "zero2");
}

TEST(DeepSpeedConfig, ContradictingTheScenarioIsAnError) {
  const Read read = read_from(R"({"bf16": {"enabled": true}, "gradient_accumulation_steps": 4,
    "zero_optimization": {"stage": 2}})",
                              "bf16", R"(, "accumulation": 2)");
  EXPECT_THAT(read.errors,
              ElementsAre(AllOf(HasSubstr("config:1"), HasSubstr("training.accumulation = 4"),
                                HasSubstr("the scenario says 2"))));
}

TEST(DeepSpeedConfig, RefusesByNameWhatIsNotModelled) {
  const Read read = read_from(R"({"fp16": {"enabled": true}, "bf16": {"enabled": true},
    "zero_optimization": {"stage": 2, "zero_hpz_partition_size": 8, "offload_optimizer":
      {"device": "nvme"}}, "optimizer": {"type": "OneBitAdam"}, "frobnicate": 1,
    "train_batch_size": 32})");
  EXPECT_THAT(read.errors, Contains(HasSubstr("fp16 and bf16 are both enabled")));
  EXPECT_THAT(read.errors, Contains(HasSubstr("zero_optimization.zero_hpz_partition_size")));
  EXPECT_THAT(read.errors, Contains(HasSubstr("offload to \"nvme\"")));
  EXPECT_THAT(read.errors, Contains(HasSubstr("\"onebitadam\"")));
  EXPECT_THAT(read.errors, Contains(HasSubstr("frobnicate")));
  EXPECT_THAT(read.errors, Contains(HasSubstr("train_batch_size")));
  EXPECT_THAT(read.errors, Each(HasSubstr("config:")));
}

TEST(AccelerateConfig, DeepSpeedWithoutAFileTakesDeepSpeedsDefaults) {
  const Read read = read_from(
      "distributed_type: DEEPSPEED\nmixed_precision: bf16\ndeepspeed_config:\n"
      "  zero_stage: 3\n  offload_optimizer_device: none\n  gradient_accumulation_steps: 2\n"
      "  zero3_init_flag: true\nnum_processes: 8\nuse_cpu: false\n");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "zero3");
  EXPECT_EQ(read.choice().options, parallel::DialectOptions{});
  EXPECT_EQ(read.scenario->training.accumulation, 2);
}

TEST(AccelerateConfig, NamesADeepSpeedFile) {
  const Read read =
      read_from("distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: ds.json}\n",
                "bf16", "", R"({"bf16": {"enabled": true}, "zero_optimization": {"stage": 1}})");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "zero1");
}

TEST(AccelerateConfig, FsdpTakesTheLaunchersDefaults) {
  const Read read = read_from(
      "distributed_type: FSDP\nmixed_precision: bf16\nfsdp_config:\n"
      "  fsdp_sharding_strategy: SHARD_GRAD_OP\n  fsdp_backward_prefetch: BACKWARD_PRE\n"
      "  fsdp_activation_checkpointing: true\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n");
  ASSERT_THAT(read.errors, ElementsAre());
  const auto& options = read.choice().options.fsdp;
  EXPECT_EQ(read.choice().dialect, "fsdp1");
  EXPECT_EQ(options.sharding_strategy, parallel::FsdpSharding::kGradOp);
  EXPECT_EQ(options.backward_prefetch, parallel::BackwardPrefetch::kPre);
  EXPECT_TRUE(options.use_orig_params);  // --fsdp_use_orig_params is "true" unless told otherwise
  EXPECT_EQ(read.scenario->compute.checkpointing, model::Checkpointing::kFull);
}

TEST(AccelerateConfig, DdpUnderMixedPrecisionIsAutocast) {
  const std::string yaml = "distributed_type: MULTI_GPU\nmixed_precision: bf16\n";
  EXPECT_THAT(read_from(yaml, "autocast").errors, ElementsAre());
  EXPECT_THAT(read_from(yaml, "bf16").errors,
              ElementsAre(HasSubstr("training.precision = \"autocast\"")));
}

TEST(TrainerArguments, FsdpAndItsDefaults) {
  const Read read = read_from(R"({"output_dir": "x", "per_device_train_batch_size": 2,
    "gradient_accumulation_steps": 8, "bf16": true, "fsdp": "full_shard auto_wrap",
    "accelerator_config": {"split_batches": false, "dispatch_batches": null, "even_batches": true,
      "gradient_accumulation_kwargs": {"sync_each_batch": true}},
    "fsdp_config": {"backward_prefetch": "backward_pre", "xla": false},
    "gradient_checkpointing": true, "optim": "adamw_bnb_8bit", "logging_steps": 10})");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "fsdp");
  EXPECT_TRUE(read.choice().options.fsdp.use_orig_params);
  EXPECT_EQ(read.scenario->training.accumulation, 8);
  EXPECT_EQ(read.scenario->training.optimizer.kind, OptimizerKind::kAdamW8bit);
  EXPECT_EQ(read.scenario->compute.checkpointing, model::Checkpointing::kFull);
  EXPECT_TRUE(read.scenario->training.gradient_clipping);  // max_grad_norm is 1.0 by default
}

TEST(TrainerArguments, ADeepSpeedFileDecidesAndAutoIsTheArguments) {
  const Read read = read_from(
      R"({"per_device_train_batch_size": 2, "bf16": true, "deepspeed": "ds.json",
          "max_grad_norm": 0.0, "optim": "adamw_torch"})",
      "bf16", "", R"({"bf16": {"enabled": "auto"}, "gradient_clipping": "auto",
        "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
        "gradient_accumulation_steps": "auto", "optimizer": {"type": "AdamW"},
        "zero_optimization": {"stage": 2, "reduce_bucket_size": "auto"}})");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "zero2");
  EXPECT_FALSE(read.scenario->training.gradient_clipping);
  EXPECT_EQ(read.scenario->training.optimizer.kernel, OptimizerKernel::kFused);
  EXPECT_EQ(read.choice().options.deepspeed.reduce_bucket_size, 65536);
}

TEST(TrainerArguments, WithoutFsdpAndDeepSpeedIsDdp) {
  const Read read = read_from(R"({"per_device_train_batch_size": 2, "ddp_bucket_cap_mb": 100,
        "ddp_find_unused_parameters": false})",
                              "fp32");
  ASSERT_THAT(read.errors, ElementsAre());
  EXPECT_EQ(read.choice().strategy, "ddp");
  EXPECT_EQ(read.choice().options.ddp.bucket_cap_mb, 100);
}

TEST(TrainingImport, IsWrittenOutResolved) {
  const Read read = read_from(R"({"bf16": {"enabled": true}, "gradient_accumulation_steps": 4,
    "zero_optimization": {"stage": 2}})");
  ASSERT_TRUE(read.scenario);
  const std::string written = write_scenario(*read.scenario);
  EXPECT_THAT(written, Not(HasSubstr("\"from\"")));
  EXPECT_THAT(written, HasSubstr("gradient_accumulation_steps 4 -> accumulation 4"));
  Diagnostics out;
  const auto again = read_scenario(
      written, "scenario.json", {}, [](const std::string&) { return std::string(kDecoderConfig); },
      out);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->content_hash, read.scenario->content_hash);
}

TEST(Yaml, TypesPlainScalarsAsPyYamlDoes) {
  Diagnostics out;
  auto node = parse_yaml("a: no\nb: 'no'\nc: 5e8\nd: 1.0e-3\ne: 7\nf: ~\ng: [on, x]\n", "f", out);
  ASSERT_TRUE(node);
  const JsonDocument document(std::move(*node), "f");
  const Value root = document.root();
  EXPECT_EQ(root.member("a")->kind(), JsonKind::kBool);
  EXPECT_EQ(root.member("b")->kind(), JsonKind::kString);
  EXPECT_EQ(root.member("c")->kind(), JsonKind::kString);
  EXPECT_EQ(root.member("d")->kind(), JsonKind::kReal);
  EXPECT_EQ(root.member("e")->as_integer(7, 7, out), 7);
  EXPECT_TRUE(root.member("f")->is_null());
  EXPECT_EQ(root.member("g")->items(out).size(), 2U);
  EXPECT_EQ(root.member("e")->line(), 5);
}

TEST(Yaml, RefusesWhatNoLauncherWrites) {
  const auto error_of = [](const std::string& text) {
    Diagnostics out;
    EXPECT_FALSE(parse_yaml(text, "f", out)) << text;
    return out.empty() ? "" : format(out.all().front());
  };
  EXPECT_THAT(error_of("a: &x 1\nb: *x\n"), HasSubstr("anchors"));
  EXPECT_THAT(error_of("a: 1\na: 2\n"), AllOf(HasSubstr("f:2"), HasSubstr("twice")));
  EXPECT_THAT(error_of("a: 1\n---\nb: 2\n"), HasSubstr("more than one document"));
  std::string deep;
  for (std::size_t i = 0; i < 40; ++i) deep += std::string(i, ' ') + "a:\n";
  EXPECT_THAT(error_of(deep), HasSubstr("nested"));
  EXPECT_THAT(error_of("a: !!python/object x\n"), HasSubstr("tags"));
  EXPECT_THAT(error_of("a: [1\n"), HasSubstr("yaml-syntax"));
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
}

}  // namespace
}  // namespace heddle::io
