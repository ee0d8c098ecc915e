#pragma once
// One case as views draw it: lanes, memory and link loads on one time axis. Ranks that do the same
// share their lanes, as they shared their simulation.

#include <string>
#include <vector>

#include "gui/models/lane_index.h"
#include "gui/models/link_series.h"
#include "gui/models/memory_series.h"
#include "gui/models/results.h"
#include "gui/models/span.h"

namespace heddle::gui {

struct Lane {
  std::string group;     // "ranks 0-3"
  std::string name;      // "compute"
  std::size_t rank = 0;  // class in RunResult::ranks
  LaneIndex index;
};

class CaseView {
 public:
  /// Keeps `results` alive.
  CaseView(ResultsPtr results, std::size_t index);

  const run::CaseResult& result() const { return results_->cases[index_]; }
  const run::CaseId& id() const { return results_->study.cases()[index_]; }
  const run::Study& study() const { return results_->study; }
  const fabric::Fabric& fabric() const { return results_->study.fabric(id()); }

  const std::vector<Lane>& lanes() const { return lanes_; }
  const MemorySeries& memory() const { return memory_; }  // of the first class
  const LinkSeries& links() const { return links_; }
  Span all() const { return all_; }              // the whole run
  Span last_step() const { return last_step_; }  // the one that the table's times are of

  const schedule::Op& op(const Lane& lane, std::uint32_t op) const;
  const schedule::Label& label(const Lane& lane, const LaneBox& box) const;
  /// "backward, layer 3, q_proj"; for a wait what it waits beside.
  std::string title(const Lane& lane, const LaneBox& box) const;
  /// What is allocated at `moment` of the first class, largest first.
  std::vector<run::AliveBuffers> alive(const MemoryMoment& moment) const;

 private:
  ResultsPtr results_;
  std::size_t index_;
  std::vector<Lane> lanes_;
  MemorySeries memory_;
  LinkSeries links_;
  Span all_;
  Span last_step_;
};

}  // namespace heddle::gui
