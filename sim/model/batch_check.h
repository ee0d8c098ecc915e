#pragma once
// What a model cannot be fed with, or what we do not model about it.

#include <cstdint>
#include <string>

#include "sim/model/model_graph.h"

namespace heddle::model {

/// Most tokens (or patches) of a micro-batch: keeps every byte count of a graph below
/// 2^62 within the limits of the config reader.
inline constexpr std::int64_t kMaxTokens = std::int64_t{1} << 30;

/// Why a graph of this micro-batch cannot be built, in words for the user; "" if it can.
std::string batch_problem(const ModelSpec& spec, const BatchShape& batch);

}  // namespace heddle::model
