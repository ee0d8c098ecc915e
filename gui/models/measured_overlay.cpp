#include "gui/models/measured_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "gui/models/lane_builder.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

/// Lanes of the class that `rank` is in: the last that begins at or before it.
int first_of_class(const std::vector<ReportLane>& lanes, int rank) {
  int first = 0;
  for (const ReportLane& lane : lanes) {
    if (lane.rank <= rank && rank < lane.rank + lane.ranks) first = lane.rank;
  }
  return first;
}

std::map<std::uint32_t, ReportSpan> compute_spans(const std::vector<ReportLane>& lanes, int rank) {
  std::map<std::uint32_t, ReportSpan> out;
  for (const ReportLane& lane : lanes) {
    if (lane.rank != rank || lane.stream != "compute") continue;
    for (const ReportSpan& span : lane.spans) out[span.op] = span;
  }
  return out;
}

const ReportSpan* span_of(const std::vector<ReportLane>& lanes, int rank, std::uint32_t op) {
  for (const ReportLane& lane : lanes) {
    if (lane.rank != rank) continue;
    const auto found = std::find_if(lane.spans.begin(), lane.spans.end(),
                                    [op](const ReportSpan& span) { return span.op == op; });
    if (found != lane.spans.end()) return &*found;
  }
  return nullptr;
}

/// When the compute stream of a rank gets to what is issued after an op.
class StartTimes {
 public:
  StartTimes(const std::vector<ReportLane>& lanes, int rank) {
    std::int64_t latest = 0;  // never back in time, as the host is not
    for (const auto& [op, span] : compute_spans(lanes, rank)) {
      latest = std::max(latest, span.start);
      starts_[op] = latest;
      end_ = std::max(end_, span.end);
    }
  }
  std::int64_t after(std::uint32_t op) const {
    const auto next = starts_.upper_bound(op);
    return next == starts_.end() ? end_ : next->second;
  }

 private:
  std::map<std::uint32_t, std::int64_t> starts_;
  std::int64_t end_ = 0;
};

/// The index would take boxes that overlap for one; a stream's ops never do but for rounding.
std::vector<LaneBox> disjoint(std::vector<LaneBox> boxes) {
  std::sort(boxes.begin(), boxes.end(),
            [](const LaneBox& a, const LaneBox& b) { return a.start < b.start; });
  std::int64_t until = 0;
  for (LaneBox& box : boxes) {
    box.start = std::max(box.start, until);
    box.end = std::max(box.end, box.start);
    until = box.end;
  }
  std::erase_if(boxes, [](const LaneBox& box) { return box.end <= box.start; });
  return boxes;
}

}  // namespace

MeasuredOverlay::MeasuredOverlay(std::shared_ptr<const ValidationReport> report, int rank)
    : report_(std::move(report)), rank_(rank) {
  const int stands = first_of_class(report_->predicted, rank);
  add_lanes(report_->predicted, stands, "predicted");
  add_lanes(report_->measured, rank, "measured");
  add_leads();
  add_memory();
  const double longest = std::max(report_->step->whole.predicted, report_->step->whole.measured);
  all_.end = longest * 1e12;
  for (const Lane& lane : lanes_) {
    const auto boxes = lane.index.boxes();
    if (!boxes.empty()) all_.end = std::max(all_.end, static_cast<double>(boxes.back().end));
  }
}

const ReportOp* MeasuredOverlay::find_op(std::uint32_t op) const {
  const auto& ops = report_->ops;
  const auto found =
      std::partition_point(ops.begin(), ops.end(), [op](const ReportOp& o) { return o.op < op; });
  return found == ops.end() || found->op != op ? nullptr : &*found;
}

Paint MeasuredOverlay::paint_of_op(std::uint32_t op) const {
  const ReportOp* of = find_op(op);
  if (of == nullptr) return Paint::kInit;
  for (const schedule::CollectiveKind kind : schedule::kCollectiveKinds) {
    if (of->kind == to_string(kind)) return paint_of(kind);
  }
  for (int p = 0; p < schedule::kPhaseCount; ++p) {
    const auto phase = static_cast<schedule::Phase>(p);
    if (of->phase == to_string(phase)) return paint_of(phase);
  }
  return Paint::kInit;
}

void MeasuredOverlay::add_lanes(const std::vector<ReportLane>& lanes, int rank,
                                const std::string& title) {
  std::vector<std::pair<std::string, std::vector<LaneBox>>> streams;
  std::vector<LaneBox> comm;
  int stands_for = 1;
  for (const ReportLane& lane : lanes) {
    if (lane.rank != rank || lane.spans.empty()) continue;
    stands_for = lane.ranks;
    std::vector<LaneBox> boxes;
    for (const ReportSpan& s : lane.spans) {
      boxes.push_back({s.start, s.end, s.op, paint_of_op(s.op)});
    }
    streams.emplace_back(lane.stream, disjoint(std::move(boxes)));
    const auto& added = streams.back().second;
    if (lane.stream != "compute") comm.insert(comm.end(), added.begin(), added.end());
  }
  std::sort(comm.begin(), comm.end(),
            [](const LaneBox& a, const LaneBox& b) { return a.start < b.start; });
  const std::string group = stands_for > 1 ? fmt::format("{}, {} equal ranks", title, stands_for)
                                           : fmt::format("{}, rank {}", title, rank);
  for (auto& [stream, boxes] : streams) {
    if (stream == "compute") add_waits(comm, boxes);
    lanes_.push_back({group, stream, static_cast<std::size_t>(rank), LaneIndex(std::move(boxes))});
  }
}

void MeasuredOverlay::add_leads() {
  const auto predicted =
      compute_spans(report_->predicted, first_of_class(report_->predicted, rank_));
  for (const auto& [op, span] : compute_spans(report_->measured, rank_)) {
    const auto found = predicted.find(op);
    if (found == predicted.end()) continue;
    leads_.push_back({span.start, span.end, found->second.end - span.end, op});
    most_lead_ = std::max(most_lead_, std::abs(leads_.back().lead));
  }
  std::sort(leads_.begin(), leads_.end(),
            [](const LeadPoint& a, const LeadPoint& b) { return a.begin < b.begin; });
}

void MeasuredOverlay::add_memory() {
  if (!report_->memory || report_->memory->moments.empty()) return;
  const ReportMemory& memory = *report_->memory;
  const StartTimes predicted(report_->predicted, first_of_class(report_->predicted, memory.rank));
  const StartTimes measured(report_->measured, memory.rank);
  std::vector<MemoryMoment> layers;
  std::vector<MemoryMoment> counts;
  for (const ReportMoment& m : memory.moments) {
    const bool first = layers.empty();  // what the step begins with
    MemoryMoment moment{first ? 0 : predicted.after(m.op), m.op, {}, 0};
    for (std::size_t c = 0; c < m.predicted.size(); ++c) {
      moment.layers[kFirstCategoryLayer + c] = m.predicted[c];
      moment.total += m.predicted[c];
    }
    layers.push_back(moment);
    counts.push_back({first ? 0 : measured.after(m.op), m.op, {}, m.measured});
  }
  memory_ = MemorySeries(std::move(layers));
  counted_ = MemorySeries(std::move(counts));
}

const LeadPoint* MeasuredOverlay::lead_at(double t) const {
  const auto after = std::partition_point(leads_.begin(), leads_.end(), [t](const LeadPoint& p) {
    return static_cast<double>(p.begin) <= t;
  });
  return after == leads_.begin() ? nullptr : &*std::prev(after);
}

std::string MeasuredOverlay::name(const Lane& /*lane*/, const LaneBox& box) const {
  const ReportOp* op = find_op(box.op);
  return op == nullptr ? fmt::format("op {}", box.op) : op->name;
}

std::string MeasuredOverlay::title(const Lane& lane, const LaneBox& box) const {
  const ReportOp* op = find_op(box.op);
  if (op == nullptr) return name(lane, box);
  std::string text = op->phase;
  if (op->layer >= 0) text += fmt::format(", layer {}", op->layer);
  text += ", " + op->name;
  return lane.group + ": " + (box.paint == Paint::kWait ? "waiting while " + text + " runs" : text);
}

std::string MeasuredOverlay::details(const Lane& /*lane*/, const LaneBox& box) const {
  if (box.paint == Paint::kWait) return "";
  const int stands = first_of_class(report_->predicted, rank_);
  const ReportSpan* predicted = span_of(report_->predicted, stands, box.op);
  const ReportSpan* measured = span_of(report_->measured, rank_, box.op);
  if (predicted == nullptr) return "not predicted";
  if (measured == nullptr) return "not measured";
  const Duration wanted{predicted->end - predicted->start};
  const Duration got{measured->end - measured->start};
  std::string text =
      fmt::format("predicted {}, measured {}", format_duration(wanted), format_duration(got));
  if (got.ps > 0)
    text += fmt::format(", error {:+.1f} %", 100 * (wanted.seconds() / got.seconds() - 1));
  return text;
}

int slowest_rank(const ValidationReport& report) {
  const auto& steps = report.rank_steps;
  return static_cast<int>(std::max_element(steps.begin(), steps.end()) - steps.begin());
}

}  // namespace heddle::gui
