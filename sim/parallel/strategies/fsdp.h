#pragma once
// What both versions of FSDP share: how a model is cut into units, element sizes, refusals.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/parallel/strategy.h"

namespace heddle::parallel {

/// Modules gathered and freed together, in forward order. Unit 0 is the root.
struct FsdpUnit {
  std::vector<std::size_t> modules;
  std::int64_t numel = 0;
  std::int64_t trained = 0;  // elements of them with a gradient
};

enum class FsdpWrap {
  kLayersAndRoot,        // version 1: each layer, the rest in the root
  kEmbeddingLayersHead,  // version 2 as torchtitan wraps it: embedding, each layer, norm and head
};

std::vector<FsdpUnit> fsdp_units(const model::ModelGraph& graph, FsdpWrap wrap);
/// By module, the unit it belongs to.
std::vector<std::size_t> fsdp_unit_of_module(const std::vector<FsdpUnit>& units,
                                             std::size_t modules);

/// Bytes per element (MixedPrecision, MixedPrecisionPolicy): 2 is bf16, 4 fp32.
struct FsdpTypes {
  std::int64_t master = 4;  // shards, their gradients and moments
  std::int64_t gather = 2;  // weights as gathered and gradients as backward makes them
  std::int64_t reduce = 2;  // reductions

  friend bool operator==(const FsdpTypes&, const FsdpTypes&) = default;
};

/// param_dtype follows the training precision (fp32, else bf16) and reduce_dtype param_dtype,
/// unless stated; master_dtype is fp32 (Accelerate upcasts) unless stated.
FsdpTypes fsdp_types(const FsdpOptions& options, model::Precision precision);
schedule::DType fsdp_dtype(std::int64_t element_bytes);

/// Why that version does not model the input, or "".
std::string fsdp1_refusal(const PlanInput& input);
std::string fsdp2_refusal(const PlanInput& input);

schedule::Schedule plan_fsdp1(const PlanInput& input);
schedule::Schedule plan_fsdp2(const PlanInput& input);

}  // namespace heddle::parallel
