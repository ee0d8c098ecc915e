#include "sim/io/scenario_words.h"

#include <algorithm>
#include <array>

namespace heddle::io {

Vocabulary<model::Precision> precisions() {
  using model::Precision;
  static constexpr std::array<Word<Precision>, 5> kWords{
      {{"bf16", Precision::kBFloat16},
       {"autocast", Precision::kAutocast},
       {"fp32", Precision::kFloat32},
       {"autocast_fp16", Precision::kAutocastFloat16},
       {"fp16", Precision::kFloat16}}};
  return {"precision", kWords};
}

Vocabulary<model::Float8> float8s() {
  using model::Float8;
  static constexpr std::array<Word<Float8>, 4> kWords{{{"none", Float8::kNone},
                                                       {"delayed", Float8::kDelayed},
                                                       {"current", Float8::kCurrent},
                                                       {"mxfp8", Float8::kBlock}}};
  return {"fp8-scaling", kWords};
}

Vocabulary<model::Attention> attentions() {
  using model::Attention;
  static constexpr std::array<Word<Attention>, 3> kWords{
      {{"eager", Attention::kEager}, {"sdpa", Attention::kSdpa}, {"grouped", Attention::kGrouped}}};
  return {"attention", kWords};
}

Vocabulary<model::Checkpointing> checkpointings() {
  using model::Checkpointing;
  static constexpr std::array<Word<Checkpointing>, 4> kWords{
      {{"none", Checkpointing::kNone},
       {"full", Checkpointing::kFull},
       {"selective", Checkpointing::kSelective},
       {"every", Checkpointing::kEvery}}};
  return {"checkpointing", kWords};
}

Vocabulary<model::LossHead> loss_heads() {
  using model::LossHead;
  static constexpr std::array<Word<LossHead>, 6> kWords{{{"returned", LossHead::kReturned},
                                                         {"kept", LossHead::kKept},
                                                         {"dropped", LossHead::kDropped},
                                                         {"compiled", LossHead::kCompiled},
                                                         {"chunked", LossHead::kChunked},
                                                         {"fused", LossHead::kFused}}};
  return {"loss", kWords};
}

Vocabulary<parallel::OptimizerKind> optimizer_types() {
  using parallel::OptimizerKind;
  static constexpr std::array<Word<OptimizerKind>, 6> kWords{
      {{"adamw", OptimizerKind::kAdamW},
       {"sgd", OptimizerKind::kSgd},
       {"momentum", OptimizerKind::kMomentum},
       {"adafactor", OptimizerKind::kAdafactor},
       {"adamw_8bit", OptimizerKind::kAdamW8bit},
       {"paged_adamw_8bit", OptimizerKind::kPagedAdamW8bit}}};
  return {"optimizer", kWords};
}

Vocabulary<parallel::StateType> state_types() {
  using parallel::StateType;
  static constexpr std::array<Word<StateType>, 3> kWords{{{"as_weights", StateType::kAsWeights},
                                                          {"fp32", StateType::kFloat32},
                                                          {"bf16", StateType::kBFloat16}}};
  return {"state-type", kWords};
}

Vocabulary<parallel::FsdpSharding> fsdp_shardings() {
  using parallel::FsdpSharding;
  static constexpr std::array<Word<FsdpSharding>, 5> kWords{
      {{"full_shard", FsdpSharding::kFull},
       {"shard_grad_op", FsdpSharding::kGradOp},
       {"hybrid_shard", FsdpSharding::kHybrid},
       {"hybrid_shard_zero2", FsdpSharding::kHybridGradOp},
       {"no_shard", FsdpSharding::kNone}}};
  return {"sharding-strategy", kWords};
}

Vocabulary<parallel::FsdpWrapping> fsdp_wrappings() {
  using parallel::FsdpWrapping;
  static constexpr std::array<Word<FsdpWrapping>, 3> kWords{{{"auto", FsdpWrapping::kAuto},
                                                             {"root", FsdpWrapping::kRoot},
                                                             {"ends", FsdpWrapping::kEnds}}};
  return {"wrap", kWords};
}

Vocabulary<parallel::BackwardPrefetch> backward_prefetches() {
  using parallel::BackwardPrefetch;
  static constexpr std::array<Word<BackwardPrefetch>, 4> kWords{
      {{"auto", BackwardPrefetch::kAuto},
       {"none", BackwardPrefetch::kNone},
       {"backward_pre", BackwardPrefetch::kPre},
       {"backward_post", BackwardPrefetch::kPost}}};
  return {"backward-prefetch", kWords};
}

Vocabulary<parallel::CastType> cast_types() {
  using parallel::CastType;
  static constexpr std::array<Word<CastType>, 4> kWords{{{"auto", CastType::kAuto},
                                                         {"fp32", CastType::kFloat32},
                                                         {"bf16", CastType::kBFloat16},
                                                         {"fp16", CastType::kFloat16}}};
  return {"dtype", kWords};
}

Vocabulary<parallel::OptimizerKernel> optimizer_kernels() {
  using parallel::OptimizerKernel;
  static constexpr std::array<Word<OptimizerKernel>, 3> kWords{
      {{"foreach", OptimizerKernel::kForeach},
       {"fused", OptimizerKernel::kFused},
       {"for_loop", OptimizerKernel::kForLoop}}};
  return {"kernel", kWords};
}

Vocabulary<bool> switches() {
  static constexpr std::array<Word<bool>, 2> kWords{{{"on", true}, {"off", false}}};
  return {"switch", kWords};
}

Vocabulary<collective::Algorithm> algorithms() {
  using collective::Algorithm;
  static const auto kWords = [] {
    std::array<Word<Algorithm>, collective::kAlgorithms.size()> words;
    std::transform(collective::kAlgorithms.begin(), collective::kAlgorithms.end(), words.begin(),
                   [](Algorithm a) {
                     return Word<Algorithm>{collective::to_string(a), a};
                   });
    return words;
  }();
  return {"algorithm", kWords};
}

Vocabulary<collective::Protocol> protocols() {
  using collective::Protocol;
  static const std::array<Word<Protocol>, 3> kWords{
      {{collective::to_string(Protocol::kLl), Protocol::kLl},
       {collective::to_string(Protocol::kLl128), Protocol::kLl128},
       {collective::to_string(Protocol::kSimple), Protocol::kSimple}}};
  return {"protocol", kWords};
}

Vocabulary<fabric::PathType> p2p_levels() {
  using fabric::PathType;
  static const auto kWords = [] {
    constexpr std::array kLevels{PathType::kLocal, PathType::kNvlink, PathType::kPix,
                                 PathType::kPxb,   PathType::kPhb,    PathType::kSys};
    std::array<Word<PathType>, kLevels.size()> words;
    std::transform(kLevels.begin(), kLevels.end(), words.begin(), [](PathType level) {
      return Word<PathType>{fabric::to_string(level), level};
    });
    return words;
  }();
  return {"p2p-level", kWords};
}

Vocabulary<collective::RingOrder> ring_orders() {
  using collective::RingOrder;
  static constexpr std::array<Word<RingOrder>, 2> kWords{
      {{"nccl", RingOrder::kNccl}, {"rank", RingOrder::kRank}}};
  return {"ring-order", kWords};
}

Vocabulary<run::RankOrder> rank_orders() {
  using run::RankOrder;
  static constexpr std::array<Word<RankOrder>, 2> kWords{
      {{"node", RankOrder::kNode}, {"round_robin", RankOrder::kRoundRobin}}};
  return {"rank-order", kWords};
}

Vocabulary<schedule::CollectiveKind> collective_kinds() {
  using schedule::CollectiveKind;
  static const auto kWords = [] {
    std::array<Word<CollectiveKind>, schedule::kCollectiveKinds.size()> words;
    std::transform(schedule::kCollectiveKinds.begin(), schedule::kCollectiveKinds.end(),
                   words.begin(), [](CollectiveKind kind) {
                     return Word<CollectiveKind>{schedule::to_string(kind), kind};
                   });
    return words;
  }();
  return {"collective", kWords};
}

Vocabulary<LinkState> link_states() {
  static constexpr std::array<Word<LinkState>, 1> kWords{{{"down", LinkState::kDown}}};
  return {"state", kWords};
}

Vocabulary<NvlinkState> nvlink_states() {
  static constexpr std::array<Word<NvlinkState>, 1> kWords{{{"off", NvlinkState::kOff}}};
  return {"state", kWords};
}

}  // namespace heddle::io
