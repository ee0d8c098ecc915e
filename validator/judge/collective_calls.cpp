#include "validator/judge/collective_calls.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace heddle::judge {
namespace {

using Key = std::pair<std::size_t, std::size_t>;  // communicator, number on it

void add_rank(const schedule::Schedule& s, const engine::RankResult& rank,
              std::map<Key, CollectiveCall>& calls) {
  std::unordered_map<std::uint32_t, const engine::Interval*> times;
  for (const engine::Interval& i : rank.intervals) times.emplace(i.op, &i);
  std::vector<std::size_t> numbers(s.communicators.size());
  const auto& ops = s.programs[static_cast<std::size_t>(rank.program)].ops;
  for (std::uint32_t at = 0; at < ops.size(); ++at) {
    if (ops[at].kind != schedule::OpKind::kCollective) continue;
    const schedule::CollectiveId id{ops[at].arg};
    const std::size_t communicator = s.collective(id).communicator.index();
    const auto time = times.find(at);
    const Key key(communicator, numbers[communicator]++);
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
  for (const engine::RankResult& rank : run.ranks) add_rank(schedule, rank, calls);
  std::vector<CollectiveCall> out;
  for (const auto& [key, call] : calls) out.push_back(call);
  return out;
}

}  // namespace heddle::judge
