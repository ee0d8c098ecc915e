#include "sim/model/batch_check.h"

#include <fmt/format.h>

namespace heddle::model {

std::string batch_problem(const ModelSpec& spec, const BatchShape& batch) {
  if (batch.micro_batch < 1) return "the micro-batch must hold at least one sample";
  std::int64_t sequence = batch.sequence;
  if (spec.family == Family::kVit) {
    const std::int64_t side = spec.image_size / spec.patch_size;
    sequence = side * side + 1;
  } else if (sequence < 2) {
    return "a sequence needs at least 2 tokens, one to predict the next from";
  }
  if (batch.micro_batch > kMaxTokens / sequence) {
    return fmt::format("{} x {} tokens in one micro-batch is beyond {}", batch.micro_batch,
                       sequence, kMaxTokens);
  }
  if (spec.positions > 0 && sequence > spec.positions) {
    return fmt::format("a sequence of {} exceeds the position table's {} rows", sequence,
                       spec.positions);
  }
  if (spec.sliding_window > 0 && sequence > spec.sliding_window) {
    return fmt::format(
        "a sequence of {} exceeds the sliding window of {}: attention with an explicit mask is not "
        "modelled",
        sequence, spec.sliding_window);
  }
  return "";
}

std::string scores_problem(const ModelSpec& spec, const BatchShape& batch, Attention attention) {
  if (attention != Attention::kEager || spec.family == Family::kVit) return "";
  const std::int64_t rows = batch.micro_batch * batch.sequence * spec.heads;
  if (rows <= kMaxScores / batch.sequence) return "";
  return fmt::format(
      "eager attention writes out {} x {} x {}^2 scores in every layer: beyond {}; \"sdpa\" does "
      "not",
      batch.micro_batch, spec.heads, batch.sequence, kMaxScores);
}

}  // namespace heddle::model
