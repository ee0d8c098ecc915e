#pragma once
// Each group of options listed once: key, member, range or words, meaning. Reader, writer, schema
// and hash walk the list (option_visitors.h), so that a new option is one line here.

#include "sim/io/scenario_limits.h"
#include "sim/io/scenario_words.h"
#include "sim/model/compute_options.h"
#include "sim/parallel/dialect_options.h"
#include "sim/parallel/training_spec.h"
#include "sim/run/variation/variation_choice.h"

namespace heddle::io {

inline constexpr std::int64_t kMaxOptionElements = std::int64_t{1} << 40;
inline constexpr std::int64_t kMaxAccumulation = 256;  // every micro-batch is planned op by op
inline constexpr std::int64_t kMaxOptionCount = std::int64_t{1} << 20;

template <typename Visitor>
void list_options(Visitor& v, const model::ComputeOptions*) {
  using O = model::ComputeOptions;
  v.word("fp8", &O::fp8, float8s(), "Transformer Engine: how fp8 operands of linears are scaled");
  v.word("attention", &O::attention, attentions(), "kernel: which tensors it keeps");
  v.word("checkpointing", &O::checkpointing, checkpointings(), "what backward recomputes");
  v.integer("checkpoint_every", &O::checkpoint_every, 1, kMaxOptionCount,
            "of checkpointing \"every\": one layer of so many");
  v.word("loss", &O::loss, loss_heads(), "head and loss: what is alive per logit");
  v.integer("loss_chunks", &O::loss_chunks, 1, kMaxOptionCount, "of loss \"chunked\"");
  v.flag("compile", &O::compiled, "torch.compile of each layer");
  v.flag("fused_norm", &O::fused_norm, "a norm saves its input only");
  v.flag("fused_mlp", &O::fused_mlp, "the gated product is recomputed");
  v.flag("fused_softmax", &O::fused_softmax,
         "eager scores are scaled, masked and normalized at once");
  v.flag("use_cache", &O::kv_cache, "keys and values stay through forward");
}

template <typename Visitor>
void list_options(Visitor& v, const parallel::OptimizerSpec*) {
  using O = parallel::OptimizerSpec;
  v.word("kernel", &O::kernel, optimizer_kernels(), "how the step is implemented");
  v.word("states", &O::states, state_types(), "element type of the moments");
  v.flag("in_backward", &O::in_backward, "each tensor is stepped as its gradient is ready");
  v.flag("capturable", &O::capturable, "step counts live on the GPU");
}

template <typename Visitor>
void list_options(Visitor& v, const parallel::OffloadSpec*) {
  using O = parallel::OffloadSpec;
  v.flag("optimizer", &O::optimizer, "states and step on the host");
  v.flag("parameters", &O::parameters, "shards on the host between uses");
  v.flag("activations", &O::activations, "saved tensors on the host until backward");
}

template <typename Visitor>
void list_options(Visitor& v, const parallel::TrainingSpec*) {
  using O = parallel::TrainingSpec;
  v.integer("accumulation", &O::accumulation, 1, kMaxAccumulation,
            "micro-batches per optimizer step");
  v.flag("gradient_clipping", &O::gradient_clipping, "by global norm");
  v.flag("zero_to_none", &O::zero_to_none, "zero_grad drops gradients instead of filling zeros");
  v.flag("keep_outputs", &O::keep_outputs,
         "the script holds the model's outputs until the step ends");
  v.flag("sync_each_step", &O::sync_each_step, "the script reads the loss every step");
}

template <typename Visitor>
void list_options(Visitor& /*v*/, const parallel::PlainOptions*) {}

template <typename Visitor>
void list_options(Visitor& v, const parallel::DdpOptions*) {
  using O = parallel::DdpOptions;
  v.integer("bucket_cap_mb", &O::bucket_cap_mb, 1, kMaxOptionCount,
            "MiB per gradient bucket; at the default the first holds 1 MiB");
  v.flag("gradient_as_bucket_view", &O::gradient_as_bucket_view,
         "gradients are views into the buckets");
  v.flag("static_graph", &O::static_graph, "the same tensors get gradients every step");
}

template <typename Visitor>
void list_options(Visitor& v, const parallel::DeepSpeedOptions*) {
  using O = parallel::DeepSpeedOptions;
  const auto elements = [&](std::string_view key, std::int64_t O::*member, std::string_view what) {
    v.integer(key, member, 1, kMaxOptionElements, what);
  };
  elements("reduce_bucket_size", &O::reduce_bucket_size, "elements");
  elements("allgather_bucket_size", &O::allgather_bucket_size, "elements; stages 1 and 2");
  v.flag("overlap_comm", &O::overlap_comm, "stages 1 and 2; stage 3 always overlaps");
  v.flag("contiguous_gradients", &O::contiguous_gradients, "stages 1 and 2");
  v.flag("round_robin_gradients", &O::round_robin_gradients, "stages 1 and 2");
  elements("prefetch_bucket_size", &O::prefetch_bucket_size, "elements; stage 3");
  v.integer("param_persistence_threshold", &O::param_persistence_threshold, 0, kMaxOptionElements,
            "elements; weights up to it stay whole; stage 3");
  elements("max_live_parameters", &O::max_live_parameters, "elements; stage 3");
  v.integer("max_reuse_distance", &O::max_reuse_distance, 0, kMaxOptionElements,
            "elements; stage 3");
  elements("sub_group_size", &O::sub_group_size, "elements; stage 3");
}

template <typename Visitor>
void list_options(Visitor& v, const parallel::FsdpOptions*) {
  using O = parallel::FsdpOptions;
  v.word("sharding_strategy", &O::sharding_strategy, fsdp_shardings(),
         "what is sharded, and where");
  v.word("wrap", &O::wrap, fsdp_wrappings(), "units besides the layers; version 2");
  v.integer("shard_group", &O::shard_group, 0, kMaxOptionCount,
            "ranks per shard group of a hybrid strategy; 0: those of one machine");
  v.flag("limit_all_gathers", &O::limit_all_gathers, "two gathered units in flight; version 1");
  v.word("backward_prefetch", &O::backward_prefetch, backward_prefetches(), "version 1");
  v.flag("forward_prefetch", &O::forward_prefetch, "version 1");
  v.flag("use_orig_params", &O::use_orig_params, "version 1");
  v.word("param_dtype", &O::param_dtype, cast_types(), "of gathered weights");
  v.word("reduce_dtype", &O::reduce_dtype, cast_types(), "of reduce-scatter");
  v.word("master_dtype", &O::master_dtype, cast_types(), "of shards");
}

template <typename Visitor>
void list_options(Visitor& v, const parallel::MegatronOptions*) {
  using O = parallel::MegatronOptions;
  v.flag("use_distributed_optimizer", &O::use_distributed_optimizer,
         "master weights and moments sharded");
  v.flag("grad_reduce_in_fp32", &O::grad_reduce_in_fp32, "gradient buffers in fp32");
  v.flag("overlap_grad_reduce", &O::overlap_grad_reduce, "reduced under backward");
  v.flag("overlap_param_gather", &O::overlap_param_gather, "gathered under forward");
}

template <typename Visitor>
void list_options(Visitor& v, const run::VariationChoice*) {
  using O = run::VariationChoice;
  v.flag("hardware", &O::hardware, "draw hardware quantities, each with the sigma its file states");
  v.share("host", &O::host, 0, "sigma of the scenario's host times");
  v.share("kernel_noise", &O::kernel_noise, 0, "sigma of a GPU's kernels, step to step");
  v.share("gpu_spread", &O::gpu_spread, 0, "sigma from GPU to GPU, for good");
  v.share("straggler_chance", &O::straggler_chance, 0, "of a GPU to be slow in a step");
  v.share("straggler_fast", &O::straggler_fast, kMinShare, "highest speed of a slow one");
  v.share("straggler_slow", &O::straggler_slow, kMinShare, "lowest speed of a slow one");
  v.share("model_form", &O::model_form, 0, "sigma of the model itself");
}

/// Calls `use` with the options that `dialect` reads.
template <typename Options, typename Use>
auto with_dialect(std::string_view dialect, Options& options, Use&& use) {
  if (dialect == "pytorch") return use(options.plain);
  if (dialect == "pytorch-ddp") return use(options.ddp);
  if (dialect == "deepspeed") return use(options.deepspeed);
  if (dialect == "megatron") return use(options.megatron);
  return use(options.fsdp);  // fsdp1, fsdp2
}

}  // namespace heddle::io
