#include "validator/judge/collective_calls.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace heddle::judge {
namespace {

using Key = std::tuple<std::size_t, int, std::size_t>;  // communicator, group, number in it

/// `groups`: by communicator, rank.
void add_rank(const schedule::Schedule& s, const std::vector<std::vector<int>>& groups,
              const engine::RankResult& rank, std::map<Key, CollectiveCall>& calls) {
  std::unordered_map<std::uint32_t, const engine::Interval*> times;
  for (const engine::Interval& i : rank.intervals) times.emplace(i.op, &i);
  std::vector<std::size_t> numbers(s.communicators.size());
  const auto first_rank = static_cast<std::size_t>(rank.first_rank);
  const auto& ops = s.programs[static_cast<std::size_t>(rank.program)].ops;
  for (std::uint32_t at = 0; at < ops.size(); ++at) {
    if (ops[at].kind != schedule::OpKind::kCollective) continue;
    const schedule::CollectiveId id{ops[at].arg};
    const std::size_t communicator = s.collective(id).communicator.index();
    const auto time = times.find(at);
    const Key key(communicator, groups[communicator][first_rank], numbers[communicator]++);
    if (time == times.end()) continue;
    const auto [entry, first] =
        calls.try_emplace(key, CollectiveCall{id, at, time->second->start, time->second->end});
    if (first) continue;
    entry->second.start = std::max(entry->second.start, time->second->start);
    entry->second.end = std::max(entry->second.end, time->second->end);
  }
}

}  // namespace

std::vector<CollectiveCall> collective_calls(const schedule::Schedule& schedule,
                                             const engine::RunResult& run) {
  std::map<Key, CollectiveCall> calls;
  std::vector<std::vector<int>> groups;
  for (const schedule::Communicator& c : schedule.communicators) {
    groups.push_back(schedule::group_of_rank(c, schedule.rank_count()));
  }
  for (const engine::RankResult& rank : run.ranks) add_rank(schedule, groups, rank, calls);
  std::vector<CollectiveCall> out;
  for (const auto& [key, call] : calls) out.push_back(call);
  return out;
}

}  // namespace heddle::judge
