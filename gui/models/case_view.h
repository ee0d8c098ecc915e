#pragma once
// One case as views draw it: lanes, memory and link loads on one time axis. Ranks that do the same
// share their lanes, as they shared their simulation.

#include <string>
#include <vector>

#include "gui/models/lane_set.h"
#include "gui/models/link_series.h"
#include "gui/models/memory_series.h"
#include "gui/models/results.h"
#include "gui/models/span.h"

namespace heddle::gui {

class CaseView : public LaneSet {
 public:
  /// Keeps `results` alive.
  CaseView(ResultsPtr results, std::size_t index);

  const run::CaseResult& result() const { return results_->cases[index_]; }
  const run::CaseId& id() const { return results_->study.cases()[index_]; }
  const run::Study& study() const { return results_->study; }
  const fabric::Fabric& fabric() const { return results_->study.fabric(id()); }

  /// By class of ranks: the host, then its streams.
  const std::vector<Lane>& lanes() const override { return lanes_; }
  /// The compute stream of the first class; null if there is none.
  const Lane* compute_lane() const;
  /// Of the class that needs the most.
  const MemorySeries& memory() const { return memory_; }
  /// The first moment above what may be used; null if there is none.
  const MemoryMoment* out_of_memory() const;
  const LinkSeries& links() const { return links_; }
  /// Of the link's capacity over last_step().
  double mean_share(fabric::LinkId link) const { return mean_shares_[link.index()]; }
  Span all() const { return all_; }              // the whole run
  Span last_step() const { return last_step_; }  // the one that the table's times are of

  const schedule::Op& op(const Lane& lane, std::uint32_t op) const;
  const schedule::Label& label(const Lane& lane, const LaneBox& box) const;
  std::string name(const Lane& lane, const LaneBox& box) const override;
  /// For a wait what it waits beside.
  std::string title(const Lane& lane, const LaneBox& box) const override;
  /// "12.4 GFLOP, 96.0 MB of HBM traffic, ..." or "33.6 MB, ..." of a collective.
  std::string details(const Lane& lane, const LaneBox& box) const override;
  /// What is allocated at `moment` of memory(), largest first.
  std::vector<run::AliveBuffers> alive(const MemoryMoment& moment) const;

 private:
  ResultsPtr results_;
  std::size_t index_;
  std::size_t fullest_ = 0;  // class of memory()
  std::vector<Lane> lanes_;
  MemorySeries memory_;
  LinkSeries links_;
  std::vector<double> mean_shares_;  // by link
  Span all_;
  Span last_step_;
};

/// Of each pair of kinds of devices the link with the highest mean share of its capacity in the
/// last step, busiest first, at most `most`; none that carried nothing.
std::vector<fabric::LinkId> busiest_links(const CaseView& view, std::size_t most);

}  // namespace heddle::gui
