// What users report and simple estimators miss, each with its cause in words. Figures are those of
// the whole program; bounds follow from the mechanism, not from what it printed.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/printed_json.h"

namespace heddle::test {
namespace {

struct Memory {
  std::string phase;
  std::string op;
  double allocated = 0;  // GB
  double reserved = 0;
  std::map<std::string, double> alive;  // GB by buffer name at the peak
};

Memory memory_of(const std::string& scenario, const std::string& case_id,
                 const std::vector<std::string>& sets) {
  std::vector<std::string> arguments{"memory",
                                     std::string(HEDDLE_SOURCE_DIR) + "/scenarios/" + scenario,
                                     "--case", case_id, "--no-knobs"};
  for (const std::string& set : sets) {
    arguments.push_back("--set");
    arguments.push_back(set);
  }
  const io::JsonDocument answer = printed_json(arguments);
  const io::Value root = answer.root();
  Memory memory;
  memory.phase = text(root, "peak_phase");
  memory.op = text(root, "peak_op");
  memory.allocated = number(root, "peak_allocated_bytes") * 1e-9;
  memory.reserved = number(root, "peak_reserved_bytes") * 1e-9;
  for (const io::Value& group : items(root, "alive_at_peak")) {
    memory.alive[text(group, "name")] += number(group, "bytes") * 1e-9;
  }
  return memory;
}

// AdamW's foreach kernel makes sqrt(v) of every local tensor at once: 4 P/N = 7.24 GB for
// Mistral-7B on 4 GPUs, more than logits and activations of 1024 tokens. The fused kernel makes
// none, and the peak moves out of the optimizer.
TEST(Reversals, TheForeachOptimizerPeaksAboveTheLoss) {
  const Memory foreach = memory_of("mistral-7b-4xh200.json", "nvswitch/fsdp", {});
  EXPECT_EQ(foreach.phase, "optimizer");
  EXPECT_NEAR(foreach.alive.at("adam foreach temporary"), 7.24, 0.01);
  const Memory fused =
      memory_of("mistral-7b-4xh200.json", "nvswitch/fsdp", {"training.optimizer.kernel=fused"});
  EXPECT_NE(fused.phase, "optimizer");
  EXPECT_LT(fused.allocated, foreach.allocated);
}

// Every logit is held as fp32 four times when backward begins. With 128 256 words and 16 384 tokens
// one such copy is 8.4 GB, while a checkpointed layer keeps 0.13 GB.
TEST(Reversals, ALargeVocabularysLossHeadIsThePeak) {
  const Memory head =
      memory_of("memory/torchtitan-llama-3.1-8b.json", "8/fsdp2", {"training.checkpointing=full"});
  EXPECT_TRUE(head.phase == "loss" ||
              (head.phase == "backward" && head.op.find("logits") != std::string::npos) ||
              head.op.find("softmax") != std::string::npos)
      << head.phase << ' ' << head.op;
  const Memory chunked = memory_of("memory/torchtitan-llama-3.1-8b.json", "8/fsdp2",
                                   {"training.checkpointing=full", "training.loss=chunked"});
  EXPECT_LT(chunked.allocated, head.allocated - 8.4);
}

// Sixteen times the GPUs shard 16 bytes per parameter sixteen times finer: 16 P (1/8 - 1/128) =
// 15 GB less of 80. What is left are activations, logits and gathered units, which no sharding of
// states touches.
TEST(Reversals, ReservedMemoryHardlyFallsWithMoreMachines) {
  const std::vector<std::string> expandable{"allocator=expandable_segments:True"};
  const Memory one = memory_of("memory/torchtitan-llama-3.1-8b.json", "8/fsdp2", expandable);
  const Memory many = memory_of("memory/torchtitan-llama-3.1-8b.json", "128/fsdp2", expandable);
  EXPECT_LT(many.reserved, one.reserved);
  EXPECT_GT(many.reserved, 0.75 * one.reserved);
}

// Without limit_all_gathers the host runs ahead and gathers every unit of the forward pass before
// the GPU has freed the first: 32 units of 0.4 GB instead of two or three. Parameters are frozen
// but for LoRA, so that gathered units are most of what there is.
TEST(Reversals, FsdpWithoutTheGatherLimitHoldsManyUnits) {
  const auto gathered = [](const std::string& limit) {
    const Memory memory = memory_of("memory/llama-cookbook-lora.json", "a100/fsdp1",
                                    {"strategies.0.options.limit_all_gathers=" + limit,
                                     "training.micro_batch=1", "training.sequence_length=128"});
    return memory.reserved;
  };
  EXPECT_GT(gathered("false"), gathered("true") + 5);
}

}  // namespace
}  // namespace heddle::test
