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

/// Most scores of one layer that attention may write out: three fp32 tensors of them in each of a
/// thousand layers stay below 2^62 bytes.
inline constexpr std::int64_t kMaxScores = std::int64_t{1} << 44;

/// Why attention cannot be run as the options say, for the batch's size; "" if it can.
std::string scores_problem(const ModelSpec& spec, const BatchShape& batch, Attention attention);

}  // namespace heddle::model
