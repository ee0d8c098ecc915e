#include "sim/run/memory_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/base/check.h"

namespace heddle::run {
namespace {

using schedule::Op;
using schedule::OpKind;

const engine::RankResult& fullest_rank(const engine::RunResult& run) {
  return *std::max_element(run.ranks.begin(), run.ranks.end(), [](const auto& a, const auto& b) {
    return a.peak.total() < b.peak.total();
  });
}

std::string place_text(const schedule::Label& label) {
  const std::string layer = label.layer >= 0 ? fmt::format(", layer {}", label.layer) : "";
  return fmt::format("{}{}, {}", schedule::to_string(label.phase), layer, label.name);
}

/// What is allocated right after `last_op` of a program, by name and category.
std::vector<AliveBuffers> alive_after(const schedule::Schedule& schedule,
                                      const std::vector<Op>& ops, std::uint32_t last_op) {
  std::set<std::uint32_t> live;
  for (std::uint32_t i = 0; i <= last_op; ++i) {
    if (ops[i].kind == OpKind::kAlloc) live.insert(ops[i].arg);
    if (ops[i].kind == OpKind::kFree) live.erase(ops[i].arg);
  }
  std::map<std::pair<std::string, schedule::MemoryCategory>, AliveBuffers> groups;
  for (const std::uint32_t id : live) {
    const schedule::Buffer& buffer = schedule.buffers[id];
    const std::string& name = schedule.label(buffer.label).name;
    AliveBuffers& group = groups[{name, buffer.category}];
    group.name = name;
    group.category = buffer.category;
    ++group.count;
    group.bytes += buffer.bytes;
  }
  std::vector<AliveBuffers> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return sorted;
}

void read_allocator(const engine::AllocatorResult& allocator, const schedule::Schedule& schedule,
                    const std::vector<Op>& ops, MemoryReport& report) {
  report.peak_active = allocator.peak_active.active;
  report.peak_reserved = allocator.peak_reserved.reserved;
  report.retries = allocator.retries;
  if (!allocator.out_of_memory) return;
  report.out_of_memory = place_text(schedule.label(ops[allocator.out_of_memory->state.op].label));
}

std::vector<StepMemory> steps_of(const engine::RankResult& rank) {
  std::vector<StepMemory> steps;
  for (std::size_t s = 0; s < rank.step_peaks.size(); ++s) {
    steps.push_back({rank.step_peaks[s].total(), rank.allocator->step_peak_active[s].active,
                     rank.allocator->step_peak_reserved[s].reserved,
                     rank.after_optimizer[s].total()});
  }
  return steps;
}

void judge(const MemoryLimits& limits, MemoryReport& report) {
  const Bytes overheads = report.context + report.nccl;
  const double reserved_error = limits.expandable_segments ? kMemoryErrors.reserved_expandable
                                                           : kMemoryErrors.reserved_default;
  report.low = scale(report.peak_active, 1 - kMemoryErrors.active) +
               scale(overheads, 1 - kMemoryErrors.overheads);
  report.high = scale(report.peak_reserved, 1 + reserved_error) +
                scale(overheads, 1 + kMemoryErrors.overheads);
  const Bytes usable = report.capacity - report.headroom;
  const bool pressed = report.retries > 0 || !report.out_of_memory.empty();
  report.verdict = Verdict::kTooClose;
  if (report.low > usable) report.verdict = Verdict::kDoesNotFit;
  if (!pressed && report.high <= usable) report.verdict = Verdict::kFits;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFits:
      return "fits";
    case Verdict::kTooClose:
      return "too_close";
    case Verdict::kDoesNotFit:
      return "does_not_fit";
  }
  HEDDLE_CHECK(false, "every verdict has a name");
}

MemoryReport measure_memory(const schedule::Schedule& schedule, const engine::RunResult& run,
                            const MemoryLimits& limits) {
  const engine::RankResult& rank = fullest_rank(run);
  HEDDLE_CHECK(rank.allocator.has_value(), "memory is measured with the allocator's replay");
  const std::vector<Op>& ops = schedule.programs[static_cast<std::size_t>(rank.program)].ops;
  MemoryReport report;
  report.resident = rank.after_optimizer.back().total();
  report.at_resident = rank.after_optimizer.back().by_category;
  report.resident_alive = alive_after(schedule, ops, rank.after_optimizer.back().op);
  report.peak_allocated = rank.peak.total();
  report.at_peak = rank.peak.by_category;
  report.peak_at = schedule.label(ops[rank.peak.op].label);
  report.alive = alive_after(schedule, ops, rank.peak.op);
  read_allocator(*rank.allocator, schedule, ops, report);
  report.steps = steps_of(rank);
  report.context = limits.context;
  report.nccl = limits.nccl;
  report.headroom = limits.headroom;
  report.capacity = limits.capacity;
  judge(limits, report);
  return report;
}

}  // namespace heddle::run
