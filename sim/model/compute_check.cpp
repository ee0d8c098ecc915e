#include "sim/model/compute_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/model/numerics.h"

namespace heddle::model {
namespace {

constexpr std::array<std::string_view, 7> kLinears = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                                      "gate_proj", "up_proj", "down_proj"};

class Problems {
 public:
  void add_if(bool wrong, std::string reason) {
    if (wrong) reasons_.push_back(std::move(reason));
  }
  std::string text() const { return fmt::format("{}", fmt::join(reasons_, "; ")); }

 private:
  std::vector<std::string> reasons_;
};

void check_image(const ComputeOptions& options, Problems& problems) {
  const ComputeOptions plain;
  problems.add_if(options.attention != plain.attention,
                  "an image model runs fused attention over all heads only: eager attention's "
                  "tensors are laid out for decoders");
  problems.add_if(options.checkpointing == Checkpointing::kSelective,
                  "selective checkpointing's list of operators is torchtitan's for decoders; an "
                  "image model checkpoints whole layers");
  problems.add_if(options.loss != plain.loss,
                  "an image model's loss has one logit per class and is modelled in one way");
  problems.add_if(options.compiled,
                  "what torch.compile keeps of a layer is measured for decoders, not for image "
                  "models");
  problems.add_if(options.fused_norm || options.fused_mlp,
                  "fused norms and MLPs are RMSNorm and SwiGLU kernels, which an image model has "
                  "not");
  problems.add_if(options.kv_cache, "an image model has no key/value cache");
  problems.add_if(options.lora.rank != 0, "LoRA is laid out for decoders only");
}

/// Kernels of Apex and Megatron-LM: half the precision, whole the scores.
void check_fused_softmax(const ModelSpec& spec, const ComputeOptions& options, Problems& problems) {
  const bool half =
      options.precision == Precision::kBFloat16 || options.precision == Precision::kFloat16;
  problems.add_if(options.attention != Attention::kEager,
                  "a fused softmax belongs to attention \"eager\"");
  problems.add_if(!half, "a fused softmax runs in bf16 or fp16");
  problems.add_if(spec.family == Family::kVit || spec.text_kind == TextKind::kLlama,
                  "a fused softmax is laid out for GPT-2 and BERT, not for " + spec.name);
}

/// LayerNorm language models (text_model.h).
void check_text(const ModelSpec& spec, const ComputeOptions& options, Problems& problems) {
  const ComputeOptions plain;
  const std::string only = "is laid out for Llama and Mistral decoders only, not for " + spec.name;
  const bool rotates = spec.rotary_dim > 0;
  problems.add_if(options.attention == Attention::kGrouped,
                  "grouped attention " + only + ", which has as many key heads as query heads");
  problems.add_if(
      options.attention == Attention::kEager && rotates,
      "eager attention is laid out for Llama's relatives, GPT-2 and BERT, not for " + spec.name);
  problems.add_if(options.checkpointing == Checkpointing::kSelective,
                  "selective checkpointing " + only);
  problems.add_if(options.checkpointing == Checkpointing::kEvery &&
                      spec.family == Family::kEncoder && Numerics(options.precision).autocast(),
                  "under autocast only a checkpointed layer of BERT saves the next one's input: "
                  "checkpoint all of them");
  problems.add_if(options.loss == LossHead::kFused, "a fused loss head " + only);
  problems.add_if(
      options.loss != plain.loss && spec.family == Family::kEncoder,
      "a sequence classifier's loss has one logit per class and is modelled in one way");
  problems.add_if(options.compiled, "what torch.compile keeps of a layer " + only);
  problems.add_if(options.fused_norm || options.fused_mlp,
                  "a fused norm or MLP is an RMSNorm or SwiGLU kernel: it " + only);
  problems.add_if(options.kv_cache, "use_cache left on " + only);
  problems.add_if(options.lora.rank != 0, "LoRA " + only);
}

/// What Transformer Engine's linears are laid out for.
void check_fp8(const ModelSpec& spec, const ComputeOptions& options, Problems& problems) {
  constexpr std::int64_t kMultiple = 16;
  problems.add_if(options.precision != Precision::kBFloat16,
                  "fp8 products are modelled over bf16 weights: set precision to \"bf16\"");
  problems.add_if(spec.family == Family::kVit, "fp8 linears are laid out for language models only");
  problems.add_if(options.compiled, "what torch.compile keeps of fp8 linears is not measured");
  problems.add_if(options.lora.rank != 0, "LoRA beside fp8 linears is not modelled");
  problems.add_if(options.checkpointing == Checkpointing::kSelective,
                  "selective checkpointing keeps products of torch.nn.Linear, which fp8 linears "
                  "are not");
  problems.add_if(spec.hidden % kMultiple != 0 || spec.ffn % kMultiple != 0,
                  fmt::format("fp8 products need hidden and intermediate sizes in multiples of {}, "
                              "which {} and {} are not",
                              kMultiple, spec.hidden, spec.ffn));
}

void check_compiled(const ComputeOptions& options, Problems& problems) {
  problems.add_if(options.precision != Precision::kBFloat16,
                  "what torch.compile keeps of a layer is measured with weights and compute in "
                  "bf16 only");
  problems.add_if(options.attention == Attention::kEager,
                  "what torch.compile makes of eager attention is not measured");
  problems.add_if(options.lora.rank != 0,
                  "what torch.compile keeps of a layer with LoRA is not measured");
}

void check_selective(const ComputeOptions& options, Problems& problems) {
  problems.add_if(options.attention == Attention::kEager,
                  "selective checkpointing keeps the fused attention kernel's output, which eager "
                  "attention has not");
  problems.add_if(options.kv_cache,
                  "selective checkpointing with use_cache is not modelled: torchtitan's models "
                  "have no key/value cache");
  problems.add_if(options.lora.rank != 0,
                  "selective checkpointing keeps every second matrix product, and which those are "
                  "with LoRA's among them is not modelled");
}

void check_lora(const LoraOptions& lora, Problems& problems) {
  problems.add_if(lora.rank < 0, fmt::format("LoRA rank {}: a rank is not negative", lora.rank));
  problems.add_if(lora.rank == 0 && !lora.targets.empty(),
                  "LoRA has targets but rank 0: give it a rank or no targets");
  problems.add_if(lora.rank > 0 && lora.targets.empty(),
                  fmt::format("LoRA of rank {} has no targets: nothing would train; a decoder's "
                              "linear layers are {}",
                              lora.rank, fmt::join(kLinears, ", ")));
  for (auto target = lora.targets.begin(); target != lora.targets.end(); ++target) {
    problems.add_if(std::ranges::find(kLinears, *target) == kLinears.end(),
                    fmt::format("LoRA target \"{}\" is no linear layer of a decoder's layers: {}",
                                *target, fmt::join(kLinears, ", ")));
    problems.add_if(std::find(lora.targets.begin(), target, *target) != target,
                    fmt::format("LoRA target \"{}\" appears twice", *target));
  }
}

void check_numbers(const ComputeOptions& options, Problems& problems) {
  const ComputeOptions plain;
  problems.add_if(options.checkpointing != Checkpointing::kEvery &&
                      options.checkpoint_every != plain.checkpoint_every,
                  "checkpoint_every belongs to checkpointing \"every\"");
  problems.add_if(options.loss != LossHead::kChunked && options.loss_chunks != plain.loss_chunks,
                  "loss_chunks belongs to loss \"chunked\"");
  problems.add_if(
      options.checkpointing == Checkpointing::kEvery && options.checkpoint_every < 1,
      fmt::format("checkpointing every {} layers: at least 1", options.checkpoint_every));
  problems.add_if(
      options.loss == LossHead::kChunked &&
          (options.loss_chunks < 1 || options.loss_chunks > kMaxLossChunks),
      fmt::format("a loss in {} pieces: from 1 to {}", options.loss_chunks, kMaxLossChunks));
}

}  // namespace

std::string compute_problem(const ModelSpec& spec, const ComputeOptions& options) {
  Problems problems;
  check_numbers(options, problems);
  if (options.fused_softmax) check_fused_softmax(spec, options, problems);
  if (options.fp8 != Float8::kNone) check_fp8(spec, options, problems);
  if (spec.family == Family::kVit) {
    check_image(options, problems);
    return problems.text();
  }
  if (spec.family == Family::kEncoder || spec.text_kind != TextKind::kLlama) {
    check_text(spec, options, problems);
    return problems.text();
  }
  if (options.compiled) check_compiled(options, problems);
  if (options.checkpointing == Checkpointing::kSelective) check_selective(options, problems);
  check_lora(options.lora, problems);
  return problems.text();
}

}  // namespace heddle::model
