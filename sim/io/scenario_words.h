#pragma once
// The names that scenarios use for choices: one table each, for reader and writer.

#include <algorithm>
#include <span>
#include <string_view>

#include "sim/base/check.h"
#include "sim/collective/settings.h"
#include "sim/collective/types.h"
#include "sim/model/model_graph.h"
#include "sim/parallel/dialect_options.h"
#include "sim/parallel/training_spec.h"
#include "sim/run/scenario.h"
#include "sim/schedule/schedule.h"

namespace heddle::io {

template <typename T>
struct Word {
  std::string_view name;
  T value;
};

/// `what` is what a word of the table names, in messages and codes ("unknown-precision").
template <typename T>
struct Vocabulary {
  std::string_view what;
  std::span<const Word<T>> words;

  std::string_view name_of(T value) const {
    const auto found = std::find_if(words.begin(), words.end(),
                                    [&](const Word<T>& word) { return word.value == value; });
    HEDDLE_CHECK(found != words.end(), "every value has a word");
    return found->name;
  }
};

/// What a what-if makes of a link, and of NVLink.
enum class LinkState { kDown };
enum class NvlinkState { kOff };

Vocabulary<model::Precision> precisions();
Vocabulary<model::Float8> float8s();
Vocabulary<model::Attention> attentions();
Vocabulary<model::Checkpointing> checkpointings();
Vocabulary<model::LossHead> loss_heads();
Vocabulary<parallel::OptimizerKind> optimizer_types();
Vocabulary<parallel::StateType> state_types();
Vocabulary<parallel::FsdpSharding> fsdp_shardings();
Vocabulary<parallel::FsdpWrapping> fsdp_wrappings();
Vocabulary<parallel::BackwardPrefetch> backward_prefetches();
Vocabulary<parallel::CastType> cast_types();
Vocabulary<parallel::OptimizerKernel> optimizer_kernels();
Vocabulary<bool> switches();  // "on", "off"
Vocabulary<collective::Algorithm> algorithms();
Vocabulary<collective::Protocol> protocols();
Vocabulary<fabric::PathType> p2p_levels();  // "NVL" and the other words of NCCL_P2P_LEVEL
Vocabulary<collective::RingOrder> ring_orders();
Vocabulary<run::RankOrder> rank_orders();
Vocabulary<schedule::CollectiveKind> collective_kinds();
Vocabulary<LinkState> link_states();      // "down"
Vocabulary<NvlinkState> nvlink_states();  // "off"

}  // namespace heddle::io
