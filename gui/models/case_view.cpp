#include "gui/models/case_view.h"
#include "gui/models/byte_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "gui/models/lane_builder.h"
#include "sim/base/units_text.h"
#include "sim/run/alive_buffers.h"

namespace heddle::gui {

namespace {

Bytes reserved_by(const engine::RankResult& rank) {
  return rank.allocator ? rank.allocator->peak_reserved.reserved : rank.peak.total();
}

}  // namespace

CaseView::CaseView(ResultsPtr results, std::size_t index)
    : results_(std::move(results)), index_(index) {
  const engine::RunResult& run = result().run;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    for (Lane& lane : build_lanes(*result().schedule, run, rank, study().scenario().host))
      lanes_.push_back(std::move(lane));
  }
  for (std::size_t rank = 1; rank < run.ranks.size(); ++rank) {
    if (reserved_by(run.ranks[rank]) > reserved_by(run.ranks[fullest_])) fullest_ = rank;
  }
  memory_ = MemorySeries(run.ranks[fullest_], result().memory);
  links_ = LinkSeries(fabric(), run.links);
  all_ = {0, static_cast<double>(run.end.ps)};
  const engine::StepAccounting& step = result().accounting;
  last_step_ = {static_cast<double>(step.begin.ps),
                static_cast<double>((step.begin + step.step).ps)};
  for (std::size_t i = 0; i < links_.link_count(); ++i) {
    mean_shares_.push_back(links_.mean_share(fabric::LinkId(i), last_step_));
  }
}

const Lane* CaseView::compute_lane() const {
  const auto found = std::find_if(lanes_.begin(), lanes_.end(),
                                  [](const Lane& lane) { return lane.name == "compute"; });
  return found == lanes_.end() ? nullptr : &*found;
}

const schedule::Op& CaseView::op(const Lane& lane, std::uint32_t op) const {
  const auto program = static_cast<std::size_t>(result().run.ranks[lane.rank].program);
  return result().schedule->programs[program].ops[op];
}

const schedule::Label& CaseView::label(const Lane& lane, const LaneBox& box) const {
  return result().schedule->label(op(lane, box.op).label);
}

std::string CaseView::name(const Lane& lane, const LaneBox& box) const {
  return label(lane, box).name;
}

std::string CaseView::title(const Lane& lane, const LaneBox& box) const {
  const std::string moment = run::moment_text(label(lane, box));
  if (op(lane, box.op).kind == schedule::OpKind::kAlloc ||
      op(lane, box.op).kind == schedule::OpKind::kFree) {
    return fmt::format("host issues {}", to_string(label(lane, box).phase));
  }
  return box.paint == Paint::kWait ? "waiting while " + moment + " runs" : moment;
}

std::string CaseView::details(const Lane& lane, const LaneBox& box) const {
  const schedule::Op& of = op(lane, box.op);
  if (of.kind == schedule::OpKind::kCollective) {
    const schedule::Collective& call = result().schedule->collectives[of.arg];
    const Bandwidth rate = call.bytes / std::max(Duration{1}, Duration{box.end - box.start});
    return fmt::format("{} of {}, {}; size / time {}", to_string(call.kind), byte_text(call.bytes),
                       to_string(call.dtype), format_bandwidth(rate));
  }
  if (of.kind != schedule::OpKind::kCompute) return "";
  const schedule::Kernel& kernel = result().schedule->kernels[of.arg];
  const double seconds = Duration{box.end - box.start}.seconds();
  return fmt::format("{}, {} of HBM traffic ({}), {}", to_string(kernel.kind),
                     byte_text(kernel.bytes),
                     format_bandwidth(kernel.bytes / Duration{box.end - box.start}),
                     format_flop_rate({kernel.flops.value / seconds}));
}

const MemoryMoment* CaseView::out_of_memory() const {
  if (result().memory.out_of_memory.empty()) return nullptr;
  return memory_.first_above(result().memory.usable.value);
}

std::vector<run::AliveBuffers> CaseView::alive(const MemoryMoment& moment) const {
  const auto program = static_cast<std::size_t>(result().run.ranks[fullest_].program);
  return run::alive_after(*result().schedule, result().schedule->programs[program].ops, moment.op);
}

std::vector<fabric::LinkId> busiest_links(const CaseView& view, std::size_t most) {
  const fabric::Fabric& fabric = view.fabric();
  struct Candidate {
    double share;
    fabric::LinkId link;
  };
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    const double share = view.mean_share(fabric::LinkId(i));
    if (share > 0) all.push_back({share, fabric::LinkId(i)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  std::vector<fabric::LinkId> out;
  std::vector<std::tuple<fabric::DeviceKind, fabric::DeviceKind>> kinds;
  for (const Candidate& c : all) {
    const fabric::Link& link = fabric.link(c.link);
    const std::tuple kind(fabric.device(link.from).kind, fabric.device(link.to).kind);
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    kinds.push_back(kind);
    out.push_back(c.link);
    if (out.size() == most) break;
  }
  return out;
}

}  // namespace heddle::gui
