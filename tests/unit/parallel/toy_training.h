#pragma once
// A model of bare weights and what a test asks of a plan for it. Every module holds one tensor,
// read by its only row forward and backward; nothing else takes memory, so bytes can be told by
// hand. Sizes are multiples of 256 elements: 512-byte rounding changes nothing.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallel/strategy.h"

namespace heddle::parallel::test {

inline model::ModelGraph bare_weights(const std::vector<std::int64_t>& numels) {
  model::ModelGraph graph;
  graph.compute.precision = model::Precision::kBFloat16;
  for (std::size_t i = 0; i < numels.size(); ++i) {
    model::Module m;
    m.name = "module " + std::to_string(i);
    m.params.push_back({"weight", {numels[i]}, true});
    model::Row row;
    row.name = "row";
    row.kernel.bytes = {2 * numels[i]};
    row.dispatches = 1;
    row.reads = {0};
    m.forward.push_back(row);
    row.gradients = {0};
    m.backward.push_back(row);
    graph.modules.push_back(std::move(m));
  }
  return graph;
}

struct Toy {
  model::ModelGraph graph;
  TrainingSpec training;
  DialectOptions options;
  int ranks = 4;

  schedule::Schedule plan(std::string_view strategy) const {
    const PlanInput input{graph, training, options, {}, ranks};
    const StrategyEntry* entry = find_strategy(strategy);
    return entry->make(entry->dialects.front())->plan(input);
  }
};

/// What is alive while a schedule is walked: each time `label` is allocated, and at its peak.
class Walk {
 public:
  explicit Walk(const schedule::Schedule& s) {
    for (const schedule::Op& op : s.programs[0].ops) {
      if (op.kind == schedule::OpKind::kMark) mark(s, op);
      if (op.kind == schedule::OpKind::kCollective) collectives_.push_back(s.collectives[op.arg]);
      if (op.kind != schedule::OpKind::kAlloc && op.kind != schedule::OpKind::kFree) continue;
      change(s, s.buffers[op.arg], op.kind == schedule::OpKind::kAlloc ? 1 : -1);
    }
  }
  /// Bytes of the last step (of all steps if `label` exists in the first only).
  std::int64_t peak(schedule::MemoryCategory category) const {
    return peak_[static_cast<std::size_t>(category)];
  }
  std::int64_t after_optimizer(schedule::MemoryCategory category) const {
    return resident_[static_cast<std::size_t>(category)];
  }
  std::int64_t peak() const { return peak_total_; }
  /// Buffers of that name in the last step, in order: bytes.
  std::vector<std::int64_t> made(std::string_view name) const {
    std::vector<std::int64_t> bytes;
    for (const auto& [label, size] : made_) {
      if (label == name) bytes.push_back(size);
    }
    return bytes;
  }
  /// Buffers of that name before the first step.
  bool made_at_setup(std::string_view name) const {
    return std::find(setup_.begin(), setup_.end(), name) != setup_.end();
  }
  /// Of the last step, scalars left out.
  std::vector<std::int64_t> collectives(schedule::CollectiveKind kind) const {
    std::vector<std::int64_t> bytes;
    for (const schedule::Collective& c : collectives_) {
      if (c.kind == kind && c.bytes.value > 4) bytes.push_back(c.bytes.value);
    }
    return bytes;
  }

 private:
  using ByCategory = std::array<std::int64_t, schedule::kCategoryCount>;

  void mark(const schedule::Schedule& s, const schedule::Op& op) {
    const auto kind = s.marks[op.arg].kind;
    if (kind == schedule::Mark::Kind::kAfterOptimizer) resident_ = live_;
    if (kind != schedule::Mark::Kind::kStepBegin) return;
    steps_begun_ = true;
    peak_ = live_;
    peak_total_ = total_;
    made_.clear();
    collectives_.clear();
  }
  void change(const schedule::Schedule& s, const schedule::Buffer& buffer, std::int64_t sign) {
    const auto c = static_cast<std::size_t>(buffer.category);
    live_[c] += sign * buffer.bytes.value;
    total_ += sign * buffer.bytes.value;
    peak_[c] = std::max(peak_[c], live_[c]);
    peak_total_ = std::max(peak_total_, total_);
    if (sign < 0) return;
    const std::string& name = s.label(buffer.label).name;
    made_.emplace_back(name, buffer.bytes.value);
    if (!steps_begun_) setup_.push_back(name);
  }

  ByCategory live_{}, peak_{}, resident_{};
  std::int64_t total_ = 0, peak_total_ = 0;
  bool steps_begun_ = false;
  std::vector<std::pair<std::string, std::int64_t>> made_;
  std::vector<std::string> setup_;
  std::vector<schedule::Collective> collectives_;
};

}  // namespace heddle::parallel::test
