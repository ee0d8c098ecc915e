#pragma once
// A small model planned by any strategy, and what a schedule says of bytes: for the tests of
// strategies.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallel/strategy.h"

namespace heddle::parallel::testing {

using CategoryBytes = std::array<std::int64_t, schedule::kCategoryCount>;

inline model::ModelSpec small_decoder() {
  model::ModelSpec spec;
  spec.name = "small";
  spec.hidden = 512;  // every matrix above the persistence threshold of ZeRO-3
  spec.layers = 3;
  spec.heads = 8;
  spec.kv_heads = 8;
  spec.head_dim = 64;
  spec.ffn = 1024;
  spec.vocab = 256;
  return spec;
}

// Its parameters by hand: embedding and head 256 x 512 each; a layer 4 x 512 x 512 +
// 3 x 512 x 1024 + 2 x 512; the final norm 512. All are multiples of 512 bytes in bf16, by four
// ranks in fp32 too.
inline constexpr std::int64_t kTable = 256 * 512;
inline constexpr std::int64_t kLayer = 4 * 512 * 512 + 3 * 512 * 1024 + 2 * 512;
inline constexpr std::int64_t kParams = 2 * kTable + 3 * kLayer + 512;
inline constexpr std::int64_t kLargest = 512 * 1024;  // a projection of the MLP

/// What a plan is made from; change a member, then plan.
struct Setting {
  model::ModelSpec spec = small_decoder();
  model::Precision precision = model::Precision::kBFloat16;
  TrainingSpec training;
  DialectOptions options;
  int ranks = 4;
  int ranks_per_node = 0;
  bool only_queries_train = false;  // all but q_proj is frozen

  model::ModelGraph graph() const;
};

constexpr Bytes kWorkspace{32 << 20};

/// Only q_proj trains: no row makes another's gradient, as with requires_grad False.
inline void freeze_all_but_queries(model::ModelGraph& graph) {
  for (model::Module& m : graph.modules) {
    for (model::ParamTensor& p : m.params) p.trainable = p.name.find("q_proj") != p.name.npos;
    for (model::Row& row : m.backward) {
      std::erase_if(row.gradients,
                    [&](int p) { return !m.params[static_cast<std::size_t>(p)].trainable; });
    }
  }
}

inline model::ModelGraph Setting::graph() const {
  model::ModelGraph graph = model::build_model_graph(spec, {2, 8}, precision);
  if (only_queries_train) freeze_all_but_queries(graph);
  return graph;
}

inline schedule::Schedule plan(std::string_view strategy, std::string_view dialect,
                               const Setting& s) {
  return find_strategy(strategy)->make(dialect)->plan(
      {s.graph(), s.training, s.options, kWorkspace, s.ranks, s.ranks_per_node});
}

inline std::string refusal(std::string_view strategy, std::string_view dialect, const Setting& s) {
  const std::string problem = training_problem(s.training);
  if (!problem.empty()) return problem;
  return find_strategy(strategy)->make(dialect)->refusal(
      {s.graph(), s.training, s.options, kWorkspace, s.ranks, s.ranks_per_node});
}

/// Live bytes by category after op `last` (inclusive).
inline CategoryBytes live_after(const schedule::Schedule& s, std::size_t last) {
  CategoryBytes live{};
  for (std::size_t i = 0; i <= last && i < s.programs[0].ops.size(); ++i) {
    const schedule::Op& op = s.programs[0].ops[i];
    if (op.kind != schedule::OpKind::kAlloc && op.kind != schedule::OpKind::kFree) continue;
    const schedule::Buffer& buffer = s.buffers[op.arg];
    live[static_cast<std::size_t>(buffer.category)] +=
        (op.kind == schedule::OpKind::kAlloc ? 1 : -1) * buffer.bytes.value;
  }
  return live;
}

/// Index of the last op that is a mark of that kind.
inline std::size_t last_mark(const schedule::Schedule& s, schedule::Mark::Kind kind) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < s.programs[0].ops.size(); ++i) {
    const schedule::Op& op = s.programs[0].ops[i];
    if (op.kind == schedule::OpKind::kMark && s.marks[op.arg].kind == kind) found = i;
  }
  return found;
}

/// Right after the optimizer of the last step.
inline CategoryBytes resident(const schedule::Schedule& s) {
  return live_after(s, last_mark(s, schedule::Mark::Kind::kAfterOptimizer));
}

inline std::int64_t of(const CategoryBytes& bytes, schedule::MemoryCategory category) {
  return bytes[static_cast<std::size_t>(category)];
}

/// Most bytes of `category` alive at once in the last step.
inline std::int64_t peak_of(const schedule::Schedule& s, schedule::MemoryCategory category) {
  const std::size_t begin = last_mark(s, schedule::Mark::Kind::kStepBegin);
  std::int64_t live = of(live_after(s, begin), category);
  std::int64_t peak = live;
  for (std::size_t i = begin + 1; i < s.programs[0].ops.size(); ++i) {
    const schedule::Op& op = s.programs[0].ops[i];
    if (op.kind != schedule::OpKind::kAlloc && op.kind != schedule::OpKind::kFree) continue;
    const schedule::Buffer& buffer = s.buffers[op.arg];
    if (buffer.category != category) continue;
    live += (op.kind == schedule::OpKind::kAlloc ? 1 : -1) * buffer.bytes.value;
    peak = std::max(peak, live);
  }
  return peak;
}

/// Most bytes of those categories together while the last step issues work of that phase and layer.
inline std::int64_t peak_in(const schedule::Schedule& s, schedule::Phase phase, int layer,
                            std::initializer_list<schedule::MemoryCategory> categories) {
  const auto& ops = s.programs[0].ops;
  std::size_t first = ops.size();
  std::size_t last = 0;
  for (std::size_t i = last_mark(s, schedule::Mark::Kind::kStepBegin); i < ops.size(); ++i) {
    const schedule::Label& label = s.label(ops[i].label);
    if (ops[i].kind != schedule::OpKind::kCompute) continue;
    if (label.phase != phase || label.layer != layer) continue;
    first = std::min(first, i);
    last = i;
  }
  std::int64_t peak = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const CategoryBytes live = live_after(s, i);
    std::int64_t sum = 0;
    for (const schedule::MemoryCategory category : categories) sum += of(live, category);
    peak = std::max(peak, sum);
  }
  return peak;
}

/// Bytes of the last step's collectives by kind, scalars (norms) left out.
inline std::map<schedule::CollectiveKind, std::int64_t> traffic(const schedule::Schedule& s) {
  std::map<schedule::CollectiveKind, std::int64_t> bytes;
  const std::size_t begin = last_mark(s, schedule::Mark::Kind::kStepBegin);
  for (std::size_t i = begin; i < s.programs[0].ops.size(); ++i) {
    const schedule::Op& op = s.programs[0].ops[i];
    if (op.kind != schedule::OpKind::kCollective) continue;
    const schedule::Collective& c = s.collectives[op.arg];
    if (c.bytes.value > 4) bytes[c.kind] += c.bytes.value;
  }
  return bytes;
}

/// Ops of the last step with that name and kind.
inline std::size_t count_ops(const schedule::Schedule& s, schedule::OpKind kind,
                             std::string_view name) {
  std::size_t n = 0;
  const std::size_t begin = last_mark(s, schedule::Mark::Kind::kStepBegin);
  for (std::size_t i = begin; i < s.programs[0].ops.size(); ++i) {
    const schedule::Op& op = s.programs[0].ops[i];
    n += op.kind == kind && s.label(op.label).name == name ? 1 : 0;
  }
  return n;
}

}  // namespace heddle::parallel::testing
