#include "gui/models/case_view.h"

#include <utility>

#include "gui/models/lane_builder.h"
#include "sim/run/alive_buffers.h"

namespace heddle::gui {

CaseView::CaseView(ResultsPtr results, std::size_t index)
    : results_(std::move(results)), index_(index) {
  const engine::RunResult& run = result().run;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    for (Lane& lane : build_lanes(result().schedule, run, rank)) lanes_.push_back(std::move(lane));
  }
  memory_ = MemorySeries(run.ranks.front(), result().memory);
  links_ = LinkSeries(fabric(), run.links);
  all_ = {0, static_cast<double>(run.end.ps)};
  const engine::StepAccounting& step = result().accounting;
  last_step_ = {static_cast<double>(step.begin.ps),
                static_cast<double>((step.begin + step.step).ps)};
}

const schedule::Op& CaseView::op(const Lane& lane, std::uint32_t op) const {
  const auto program = static_cast<std::size_t>(result().run.ranks[lane.rank].program);
  return result().schedule.programs[program].ops[op];
}

const schedule::Label& CaseView::label(const Lane& lane, const LaneBox& box) const {
  return result().schedule.label(op(lane, box.op).label);
}

std::string CaseView::title(const Lane& lane, const LaneBox& box) const {
  const std::string moment = run::moment_text(label(lane, box));
  return box.paint == Paint::kWait ? "waiting while " + moment + " runs" : moment;
}

std::vector<run::AliveBuffers> CaseView::alive(const MemoryMoment& moment) const {
  const auto program = static_cast<std::size_t>(result().run.ranks.front().program);
  return run::alive_after(result().schedule, result().schedule.programs[program].ops, moment.op);
}

}  // namespace heddle::gui
