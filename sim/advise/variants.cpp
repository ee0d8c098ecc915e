#include "sim/advise/variants.h"

#include <array>

namespace heddle::advise {
namespace {

using Options = parallel::DialectOptions;
using parallel::BackwardPrefetch;
using parallel::FsdpSharding;

constexpr std::int64_t kSmallBucket = 50'000'000;  // elements
constexpr std::int64_t kLiveLess = 300'000'000;    // elements

void as_it_is(Options&) {}

/// Accelerate says these two of every version 1.
void fsdp1(Options& options, FsdpSharding sharding, BackwardPrefetch prefetch) {
  options.fsdp.sharding_strategy = sharding;
  options.fsdp.backward_prefetch = prefetch;
  options.fsdp.use_orig_params = true;
}

constexpr std::array<Variant, 15> kVariants{{
    {"ddp", "ddp", "pytorch-ddp", as_it_is},
    {"zero1", "zero1", "deepspeed", as_it_is},
    {"zero1-overlap", "zero1", "deepspeed", [](Options& o) { o.deepspeed.overlap_comm = true; }},
    {"zero2", "zero2", "deepspeed", as_it_is},
    {"zero2-overlap", "zero2", "deepspeed", [](Options& o) { o.deepspeed.overlap_comm = true; }},
    {"zero2-overlap-small-bucket", "zero2", "deepspeed",
     [](Options& o) {
       o.deepspeed.overlap_comm = true;
       o.deepspeed.reduce_bucket_size = kSmallBucket;
     }},
    {"zero3", "zero3", "deepspeed", as_it_is},
    {"zero3-live-less", "zero3", "deepspeed",
     [](Options& o) {
       o.deepspeed.reduce_bucket_size = kSmallBucket;
       o.deepspeed.max_live_parameters = kLiveLess;
       o.deepspeed.max_reuse_distance = kLiveLess;
     }},
    {"fsdp1", "fsdp", "fsdp1",
     [](Options& o) { fsdp1(o, FsdpSharding::kFull, BackwardPrefetch::kPre); }},
    {"fsdp1-no-prefetch", "fsdp", "fsdp1",
     [](Options& o) { fsdp1(o, FsdpSharding::kFull, BackwardPrefetch::kNone); }},
    {"fsdp1-grad-op", "fsdp", "fsdp1",
     [](Options& o) { fsdp1(o, FsdpSharding::kGradOp, BackwardPrefetch::kPre); }},
    {"fsdp1-hybrid", "fsdp", "fsdp1",
     [](Options& o) { fsdp1(o, FsdpSharding::kHybrid, BackwardPrefetch::kPre); }, true},
    {"fsdp2", "fsdp", "fsdp2", as_it_is},
    {"fsdp2-grad-op", "fsdp", "fsdp2",
     [](Options& o) { o.fsdp.sharding_strategy = FsdpSharding::kGradOp; }},
    {"single", "single", "pytorch", as_it_is},
}};

}  // namespace

std::span<const Variant> variants() {
  return kVariants;
}

run::StrategyChoice choice_of(const Variant& variant) {
  run::StrategyChoice choice;
  choice.id = variant.id;
  choice.strategy = variant.strategy;
  choice.dialect = variant.dialect;
  variant.set(choice.options);
  return choice;
}

}  // namespace heddle::advise
