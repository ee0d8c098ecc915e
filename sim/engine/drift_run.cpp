#include "sim/engine/drift_run.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

using collective::RankTimes;

void raise(RankTimes& times, const RankTimes& to) {
  for (std::size_t r = 0; r < times.size(); ++r) times[r] = std::max(times[r], to[r]);
}

class DriftRun {
 public:
  DriftRun(const DriftGraph& graph, collective::Grid& grid, const DurationsByRank& durations)
      : graph_(graph),
        grid_(grid),
        durations_(durations),
        readers_(graph.size()),
        ends_(graph.size()),
        durations_row_(grid.ranks()) {
    for (RankTimes& stream : streams_) stream.assign(grid.ranks(), 0);
    for (const DriftNode& node : graph) {
      for (const std::uint32_t n : node.after) {
        if (graph[n].is_collective != node.is_collective) ++readers_[n];
      }
    }
  }

  DriftResult run() {
    for (std::uint32_t n = 0; n < graph_.size(); ++n) visit(n);
    raise(streams_[0], streams_[1]);
    const auto [first, last] = std::minmax_element(streams_[0].begin(), streams_[0].end());
    HEDDLE_CHECK(*last < 9007199254740992.0, "a step of more than 2.5 hours");
    return {{static_cast<std::int64_t>(*last)}, {static_cast<std::int64_t>(*first)}, sends_};
  }

 private:
  void visit(std::uint32_t n) {
    const DriftNode& node = graph_[n];
    RankTimes& times = streams_[node.is_collective ? 1 : 0];
    for (const std::uint32_t before : node.after) {
      if (graph_[before].is_collective == node.is_collective) continue;  // the stream's own order
      HEDDLE_CHECK(before < n, "a node waits for a later one");
      raise(times, ends_[before]);
      if (--readers_[before] == 0) spare_.push_back(std::move(ends_[before]));
    }
    if (node.is_collective) {
      grid_.run(node.kind, node.payload, times);
      sends_ += grid_.sends(node.kind);
    } else {
      run_kernel(n, times);
    }
    if (readers_[n] > 0) keep(n, times);
  }

  void run_kernel(std::uint32_t n, RankTimes& times) {
    std::fill(durations_row_.begin(), durations_row_.end(),
              static_cast<double>(graph_[n].duration.ps));
    if (durations_) durations_(n, durations_row_);
    for (std::size_t r = 0; r < times.size(); ++r) times[r] += durations_row_[r];
  }

  void keep(std::uint32_t n, const RankTimes& times) {
    if (!spare_.empty()) {
      ends_[n] = std::move(spare_.back());
      spare_.pop_back();
    }
    ends_[n] = times;
  }

  const DriftGraph& graph_;
  collective::Grid& grid_;
  const DurationsByRank& durations_;
  std::vector<std::uint32_t> readers_;  // nodes of the other stream that still wait for it
  std::vector<RankTimes> ends_;         // by node, while there are readers
  std::vector<RankTimes> spare_;
  RankTimes streams_[2];  // when each is free: kernels, collectives
  RankTimes durations_row_;
  std::uint64_t sends_ = 0;
};

}  // namespace

DriftResult run_drifting(const DriftGraph& graph, collective::Grid& grid,
                         const DurationsByRank& durations) {
  return DriftRun(graph, grid, durations).run();
}

}  // namespace heddle::engine
