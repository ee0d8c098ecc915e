#include "validator/judge/memory_timeline.h"

#include <algorithm>
#include <map>

#include "validator/judge/time_comparison.h"

namespace heddle::judge {

MemoryTimeline memory_timeline(const schedule::Schedule& schedule,
                               const engine::RunResult& predicted,
                               const engine::RunResult& counted) {
  const auto fullest = std::max_element(
      predicted.ranks.begin(), predicted.ranks.end(),
      [](const auto& a, const auto& b) { return a.peak.total() < b.peak.total(); });
  if (fullest == predicted.ranks.end()) return {};
  MemoryTimeline out{fullest->first_rank, {}};
  const auto counts =
      std::find_if(counted.ranks.begin(), counted.ranks.end(),
                   [&](const engine::RankResult& r) { return r.first_rank == out.rank; });
  if (counts == counted.ranks.end()) return {};
  std::map<std::uint32_t, Bytes> measured;  // by op
  for (const engine::MemorySample& sample : counts->memory) measured[sample.op] = sample.total();
  const auto& program = schedule.programs[static_cast<std::size_t>(fullest->program)];
  const std::uint32_t first = last_step_begin(schedule, program);
  for (const engine::MemorySample& sample : fullest->memory) {
    const auto found = measured.find(sample.op);
    if (found == measured.end()) continue;
    if (sample.op < first) out.moments.clear();  // what the step begins with
    out.moments.push_back({sample.op, found->second, sample.by_category});
  }
  return out;
}

}  // namespace heddle::judge
