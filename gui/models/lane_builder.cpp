#include "gui/models/lane_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::gui {
namespace {

using schedule::CollectiveKind;
using Boxes = std::vector<LaneBox>;

constexpr std::int64_t kWorthAWait = 1'000'000;  // ps beyond what issuing takes

Paint paint_of_op(const schedule::Schedule& schedule, const schedule::Op& op) {
  return op.kind == schedule::OpKind::kCollective ? paint_of(schedule.collectives[op.arg].kind)
                                                  : paint_of(schedule.label(op.label).phase);
}

std::array<Boxes, schedule::kStreamCount> boxes_by_stream(const schedule::Schedule& schedule,
                                                          const engine::RankResult& rank) {
  std::array<Boxes, schedule::kStreamCount> out;
  const auto& ops = schedule.programs[static_cast<std::size_t>(rank.program)].ops;
  for (const engine::Interval& interval : rank.intervals) {
    if (interval.end <= interval.start) continue;
    out[static_cast<std::size_t>(interval.stream)].push_back(
        {interval.start.ps, interval.end.ps, interval.op, paint_of_op(schedule, ops[interval.op])});
  }
  for (Boxes& boxes : out) {
    std::sort(boxes.begin(), boxes.end(),
              [](const auto& a, const auto& b) { return a.start < b.start; });
  }
  return out;
}

/// What the host issues, read off the memory it takes and gives back on the way: one box per phase,
/// cut where more time passes than issuing takes, because the host waits there.
Boxes host_boxes(const schedule::Schedule& schedule, const engine::RankResult& rank,
                 const run::HostChoice& host) {
  Boxes out;
  const auto& ops = schedule.programs[static_cast<std::size_t>(rank.program)].ops;
  std::uint32_t next = 0;  // op whose host time is not counted yet
  for (const engine::MemorySample& sample : rank.memory) {
    std::int64_t issue = kWorthAWait;
    for (; next <= sample.op; ++next) {
      issue += host.per_dispatch.ps * ops[next].dispatches;
      if (ops[next].kind == schedule::OpKind::kCollective) issue += host.per_collective.ps;
    }
    const auto phase = paint_of(schedule.label(ops[sample.op].label).phase);
    const bool goes_on = !out.empty() && sample.time.ps - out.back().end <= issue;
    if (!goes_on || out.back().paint != phase) {
      const std::int64_t begin = goes_on ? out.back().end : sample.time.ps;
      out.push_back({begin, sample.time.ps, sample.op, phase});
    }
    out.back().end = sample.time.ps;
  }
  std::erase_if(out, [](const LaneBox& box) { return box.end <= box.start; });
  return out;
}

std::string group_name(const engine::RankResult& rank) {
  if (rank.multiplicity == 1) return fmt::format("rank {}", rank.first_rank);
  return fmt::format("{} equal ranks", rank.multiplicity);
}

}  // namespace

Paint paint_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return Paint::kAllReduce;
    case CollectiveKind::kAllGather:
      return Paint::kAllGather;
    case CollectiveKind::kReduceScatter:
      return Paint::kReduceScatter;
    default:
      return Paint::kOtherCollective;
  }
}

Paint paint_of(schedule::Phase phase) {
  return static_cast<Paint>(phase);  // same order
}

void add_waits(const std::vector<LaneBox>& comm, std::vector<LaneBox>& compute) {
  Boxes waits;
  std::int64_t idle_from = 0;
  std::size_t first = 0;
  for (const LaneBox& box : compute) {
    while (first < comm.size() && comm[first].end <= idle_from) ++first;
    for (std::size_t i = first; i < comm.size() && comm[i].start < box.start; ++i) {
      const std::int64_t begin = std::max(idle_from, comm[i].start);
      const std::int64_t end = std::min(box.start, comm[i].end);
      if (begin < end) waits.push_back({begin, end, comm[i].op, Paint::kWait});
      idle_from = std::max(idle_from, end);  // two collectives at once are one wait
    }
    idle_from = box.end;
  }
  compute.insert(compute.end(), waits.begin(), waits.end());
  std::sort(compute.begin(), compute.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
}

std::vector<Lane> build_lanes(const schedule::Schedule& schedule, const engine::RunResult& run,
                              std::size_t rank, const run::HostChoice& host) {
  auto boxes = boxes_by_stream(schedule, run.ranks[rank]);
  Boxes comm;
  for (std::size_t s = 1; s < boxes.size(); ++s) {
    comm.insert(comm.end(), boxes[s].begin(), boxes[s].end());
  }
  std::sort(comm.begin(), comm.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
  add_waits(comm, boxes[0]);
  std::vector<Lane> lanes;
  lanes.push_back({group_name(run.ranks[rank]), "host", rank,
                   LaneIndex(host_boxes(schedule, run.ranks[rank], host))});
  for (std::size_t s = 0; s < boxes.size(); ++s) {
    if (boxes[s].empty()) continue;
    lanes.push_back({group_name(run.ranks[rank]),
                     std::string(to_string(static_cast<schedule::StreamKind>(s))), rank,
                     LaneIndex(std::move(boxes[s]))});
  }
  return lanes;
}

}  // namespace heddle::gui
