#pragma once
// What both versions of FSDP share: how a model is cut into units, and their dtypes.

#include <cstdint>
#include <vector>

#include "sim/parallel/strategy.h"

namespace heddle::parallel {

/// Modules gathered and freed together, in forward order. Unit 0 is the root.
struct FsdpUnit {
  std::vector<std::size_t> modules;
  std::int64_t numel = 0;
};

enum class FsdpWrap {
  kLayersAndRoot,        // version 1: each layer, the rest in the root
  kEmbeddingLayersHead,  // version 2 as torchtitan wraps it: embedding, each layer, norm and head
};

std::vector<FsdpUnit> fsdp_units(const model::ModelGraph& graph, FsdpWrap wrap);
/// By module, the unit it belongs to.
std::vector<std::size_t> fsdp_unit_of_module(const std::vector<FsdpUnit>& units,
                                             std::size_t modules);

/// Bytes per gathered element: MixedPrecision(param_dtype=bf16) unless training is in fp32.
std::int64_t fsdp_gather_bytes(model::Precision precision);
schedule::DType fsdp_gather_dtype(std::int64_t gather_bytes);

schedule::Schedule plan_fsdp1(const PlanInput& input);
schedule::Schedule plan_fsdp2(const PlanInput& input);

}  // namespace heddle::parallel
