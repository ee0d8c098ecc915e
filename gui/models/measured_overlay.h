#pragma once
// One rank of a validator's report over time: predicted lanes, measured lanes, how far the two are
// apart, and memory.
//
//   lead(op) = end predicted - end measured, both from the begin of the step; > 0: predicted late
//
// Memory is counted by op and has no time of its own: on either side it stands where the first
// kernel of the compute stream that is issued after it begins, so that memory and work lie above
// each other although the host is ahead.

#include <cstdint>
#include <memory>
#include <vector>

#include "gui/models/lane_set.h"
#include "gui/models/memory_series.h"
#include "gui/models/span.h"
#include "gui/models/validation_report.h"

namespace heddle::gui {

struct LeadPoint {
  std::int64_t begin = 0;  // of the op as measured, ps
  std::int64_t end = 0;
  std::int64_t lead = 0;  // ps
  std::uint32_t op = 0;
};

class MeasuredOverlay : public LaneSet {
 public:
  /// Needs report->step and a rank that it has lanes of.
  MeasuredOverlay(std::shared_ptr<const ValidationReport> report, int rank);

  const ValidationReport& report() const { return *report_; }
  int rank() const { return rank_; }
  /// Longest of both sides.
  Span all() const { return all_; }

  const std::vector<Lane>& lanes() const override { return lanes_; }
  std::string name(const Lane& lane, const LaneBox& box) const override;
  std::string title(const Lane& lane, const LaneBox& box) const override;
  /// How the same op fared on the other side.
  std::string details(const Lane& lane, const LaneBox& box) const override;

  /// Of the ops of the compute stream that both sides have, by begin.
  const std::vector<LeadPoint>& leads() const { return leads_; }
  std::int64_t most_lead() const { return most_lead_; }
  /// The op running at `t`, or the last before; null before the first.
  const LeadPoint* lead_at(double t) const;

  /// Null for an op that the report does not name.
  const ReportOp* find_op(std::uint32_t op) const;

  /// Layers of what is predicted; no moments if the report has no memory over time.
  const MemorySeries& memory() const { return memory_; }
  /// Totals as counted, where they were measured.
  const MemorySeries& counted() const { return counted_; }

 private:
  void add_lanes(const std::vector<ReportLane>& lanes, int rank, const std::string& title);
  void add_leads();
  void add_memory();
  Paint paint_of_op(std::uint32_t op) const;

  std::shared_ptr<const ValidationReport> report_;
  int rank_;
  Span all_;
  std::vector<Lane> lanes_;
  std::vector<LeadPoint> leads_;
  std::int64_t most_lead_ = 0;
  MemorySeries memory_;
  MemorySeries counted_;
};

/// The rank whose step took longest: the step's error is judged by it.
int slowest_rank(const ValidationReport& report);

}  // namespace heddle::gui
