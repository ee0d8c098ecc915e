#include "gui/models/follow.h"

#include <algorithm>
#include <utility>

namespace heddle::gui {
namespace {

using schedule::OpKind;

constexpr std::size_t kMostLinks = 8;
constexpr double kLeastShare = 0.001;

/// How many collectives of `communicator` a program issues before op `at`.
std::size_t turn_of(const schedule::Schedule& s, const schedule::Program& program,
                    schedule::CommunicatorId communicator, std::uint32_t at) {
  std::size_t turn = 0;
  for (std::uint32_t i = 0; i < at; ++i) {
    const schedule::Op& op = program.ops[i];
    turn += op.kind == OpKind::kCollective && s.collectives[op.arg].communicator == communicator;
  }
  return turn;
}

/// The op of that turn; none if the program has fewer.
std::optional<std::uint32_t> op_of_turn(const schedule::Schedule& s,
                                        const schedule::Program& program,
                                        schedule::CommunicatorId communicator, std::size_t turn) {
  for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
    const schedule::Op& op = program.ops[i];
    if (op.kind != OpKind::kCollective) continue;
    if (s.collectives[op.arg].communicator == communicator && turn-- == 0) return i;
  }
  return std::nullopt;
}

/// Op i of a communicator on one rank meets op i on every other.
std::vector<LaneMark> peers_of(const CaseView& view, const LaneMark& of) {
  const schedule::Schedule& s = *view.result().schedule;
  const auto& ranks = view.result().run.ranks;
  const Lane& own = view.lanes()[of.lane];
  const schedule::Op& op = view.op(own, of.box.op);
  if (op.kind != OpKind::kCollective) return {};
  const schedule::CommunicatorId communicator = s.collectives[op.arg].communicator;
  const auto program_of = [&](std::size_t rank) -> const schedule::Program& {
    return s.programs[static_cast<std::size_t>(ranks[rank].program)];
  };
  const std::size_t turn = turn_of(s, program_of(own.rank), communicator, of.box.op);
  const std::vector<int> groups =
      group_of_rank(s.communicators[communicator.index()], s.rank_count());
  const auto group_of = [&](std::size_t rank) {
    return groups[static_cast<std::size_t>(ranks[rank].first_rank)];
  };
  std::vector<LaneMark> out;
  for (std::size_t i = 0; i < view.lanes().size(); ++i) {
    const Lane& lane = view.lanes()[i];
    if (lane.rank == own.rank || lane.name != own.name) continue;
    if (group_of(lane.rank) < 0 || group_of(lane.rank) != group_of(own.rank)) continue;
    const auto peer = op_of_turn(s, program_of(lane.rank), communicator, turn);
    if (!peer) continue;
    for (const LaneBox& box : lane.index.boxes()) {
      if (box.op == *peer && box.paint != Paint::kWait) out.push_back({i, box});
    }
  }
  return out;
}

std::vector<LinkUse> links_of(const CaseView& view, Span span) {
  std::vector<LinkUse> out;
  for (std::size_t i = 0; i < view.links().link_count(); ++i) {
    const fabric::LinkId link(i);
    const double share = view.links().mean_share(link, span);
    if (share >= kLeastShare) out.push_back({link, share});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const LinkUse& a, const LinkUse& b) { return a.share > b.share; });
  if (out.size() > kMostLinks) out.resize(kMostLinks);
  return out;
}

/// What a collective reads and writes, or what a kernel works on.
bool is_of_kind(schedule::MemoryCategory category, bool collective) {
  switch (category) {
    case schedule::MemoryCategory::kCommunication:
    case schedule::MemoryCategory::kGatheredParameters:
    case schedule::MemoryCategory::kGradients:
      return true;
    default:
      return !collective;
  }
}

}  // namespace

Followed follow(const CaseView& view, const LaneMark& of) {
  Followed out{of, peers_of(view, of), {}, {}};
  const Lane& lane = view.lanes()[of.lane];
  const bool collective = view.op(lane, of.box.op).kind == OpKind::kCollective;
  const Span span{static_cast<double>(of.box.start), static_cast<double>(of.box.end)};
  if (collective) out.links = links_of(view, span);
  if (const MemoryMoment* moment = view.memory().at(of.box.start)) {
    out.buffers = view.alive(*moment);
    std::erase_if(out.buffers,
                  [&](const auto& buffer) { return !is_of_kind(buffer.category, collective); });
  }
  return out;
}

void Pick::set(std::optional<Followed> followed) {
  if (!followed && !followed_) return;
  followed_ = std::move(followed);
  Q_EMIT changed();
}

}  // namespace heddle::gui
