#include "sim/io/scenario_words.h"

#include <algorithm>
#include <array>

namespace heddle::io {

Vocabulary<model::Precision> precisions() {
  using model::Precision;
  static constexpr std::array<Word<Precision>, 3> kWords{{{"bf16", Precision::kBFloat16},
                                                          {"autocast", Precision::kAutocast},
                                                          {"fp32", Precision::kFloat32}}};
  return {"precision", kWords};
}

Vocabulary<OptimizerType> optimizer_types() {
  static constexpr std::array<Word<OptimizerType>, 1> kWords{{{"adamw", OptimizerType::kAdamW}}};
  return {"optimizer", kWords};
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
