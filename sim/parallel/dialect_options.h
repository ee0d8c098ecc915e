#pragma once
// The switches of each dialect, with its framework's dated defaults and their source. Names are the
// frameworks' own. A dialect reads its own struct; sim/io/option_list.h lists the fields once
// for reader, writer, schema and hash.

#include <cstdint>

namespace heddle::parallel {

/// One GPU without a wrapper: no switches.
struct PlainOptions {
  friend bool operator==(const PlainOptions&, const PlainOptions&) = default;
};

/// torch.nn.parallel.DistributedDataParallel (torch 2.5: torch/nn/parallel/distributed.py).
struct DdpOptions {
  std::int64_t bucket_cap_mb = 25;       // MiB; at 25, the first bucket holds 1 MiB
  bool gradient_as_bucket_view = false;  // gradients are views into the buckets
  bool static_graph = false;             // hooks fire in a fixed order; unused tensors known

  friend bool operator==(const DdpOptions&, const DdpOptions&) = default;
};

/// DeepSpeed 0.15.4, deepspeed/runtime/zero/config.py; sizes in elements.
struct DeepSpeedOptions {
  std::int64_t reduce_bucket_size = 500'000'000;
  std::int64_t allgather_bucket_size = 500'000'000;    // stages 1 and 2
  bool overlap_comm = false;                           // stages 1 and 2; stage 3 overlaps always
  bool contiguous_gradients = true;                    // stages 1 and 2
  bool round_robin_gradients = false;                  // stages 1 and 2
  std::int64_t prefetch_bucket_size = 50'000'000;      // stage 3
  std::int64_t param_persistence_threshold = 100'000;  // stage 3
  std::int64_t max_live_parameters = 1'000'000'000;    // stage 3
  std::int64_t max_reuse_distance = 1'000'000'000;     // stage 3
  std::int64_t sub_group_size = 1'000'000'000;         // stage 3

  friend bool operator==(const DeepSpeedOptions&, const DeepSpeedOptions&) = default;
};

enum class FsdpSharding {
  kFull,    // FULL_SHARD, reshard_after_forward=True
  kGradOp,  // SHARD_GRAD_OP, reshard_after_forward=False: weights stay from forward to backward
  kHybrid,  // HYBRID_SHARD: kFull within a group of shard_group ranks, replicated across groups
  kHybridGradOp,  // _HYBRID_SHARD_ZERO2
  kNone,          // NO_SHARD
};

/// kAuto: version 1 none, as Accelerate sets it up; version 2 always prefetches before a unit.
enum class BackwardPrefetch { kAuto, kNone, kPre, kPost };

/// What is gathered together besides each layer.
enum class FsdpWrapping {
  kAuto,  // version 1: root; version 2: ends
  kRoot,  // embedding, final norm and head in one root unit (torchtitan until 2024)
  kEnds,  // embedding alone, final norm with head (Accelerate, torchtitan from 2025)
};

/// kAuto: what the training precision implies.
enum class CastType { kAuto, kFloat32, kBFloat16, kFloat16 };

/// Both versions of FSDP; version 2 ignores none of them silently: what it lacks is refused.
struct FsdpOptions {
  FsdpSharding sharding_strategy = FsdpSharding::kFull;
  FsdpWrapping wrap = FsdpWrapping::kAuto;  // version 2
  std::int64_t shard_group = 0;   // ranks per shard group of the hybrid strategies; 0: one machine
  bool limit_all_gathers = true;  // version 1: two units in flight
  BackwardPrefetch backward_prefetch = BackwardPrefetch::kAuto;
  bool forward_prefetch = false;
  bool use_orig_params = false;             // version 1: 16-byte aligned tensors
  CastType param_dtype = CastType::kAuto;   // of gathered weights
  CastType reduce_dtype = CastType::kAuto;  // of reduce-scatter
  CastType master_dtype = CastType::kAuto;  // of shards; kAuto: fp32 (Accelerate upcasts)

  friend bool operator==(const FsdpOptions&, const FsdpOptions&) = default;
};

/// Megatron-LM core 0.9 (megatron/core/distributed, megatron/core/optimizer).
struct MegatronOptions {
  bool use_distributed_optimizer = true;
  bool grad_reduce_in_fp32 = true;  // gradient buffers in fp32
  bool overlap_grad_reduce = false;
  bool overlap_param_gather = false;

  friend bool operator==(const MegatronOptions&, const MegatronOptions&) = default;
};

struct DialectOptions {
  PlainOptions plain;
  DdpOptions ddp;
  DeepSpeedOptions deepspeed;
  FsdpOptions fsdp;
  MegatronOptions megatron;

  friend bool operator==(const DialectOptions&, const DialectOptions&) = default;
};

}  // namespace heddle::parallel
