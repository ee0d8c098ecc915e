#include "sim/run/memory_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/run/alive_buffers.h"

namespace heddle::run {
namespace {

using schedule::Op;

/// The rank that is worst off. Equal programs allocate alike, but what is active and reserved
/// follows from each rank's own timing.
const engine::RankResult& fullest_rank(const engine::RunResult& run) {
  const auto need = [](const engine::RankResult& rank) {
    HEDDLE_CHECK(rank.allocator.has_value(), "memory is measured with the allocator's replay");
    const engine::AllocatorResult& allocator = *rank.allocator;
    return std::tuple(allocator.out_of_memory.has_value(), allocator.retries,
                      allocator.peak_reserved.reserved, allocator.peak_active.active,
                      rank.peak.total());
  };
  return *std::max_element(run.ranks.begin(), run.ranks.end(),
                           [&](const auto& a, const auto& b) { return need(a) < need(b); });
}

void read_allocator(const engine::AllocatorResult& allocator, const schedule::Schedule& schedule,
                    const std::vector<Op>& ops, MemoryReport& report) {
  report.peak_active = allocator.peak_active.active;
  report.peak_reserved = allocator.peak_reserved.reserved;
  report.retries = allocator.retries;
  if (!allocator.out_of_memory) return;
  report.out_of_memory = moment_text(schedule.label(ops[allocator.out_of_memory->state.op].label));
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
  const double reserved_error = limits.allocator.expandable_segments
                                    ? kMemoryErrors.reserved_expandable
                                    : kMemoryErrors.reserved_default;
  report.low = scale(report.peak_active, 1 - kMemoryErrors.active) +
               scale(overheads, 1 - kMemoryErrors.overheads);
  report.high = scale(report.peak_reserved, 1 + reserved_error) +
                scale(overheads, 1 + kMemoryErrors.overheads);
  const bool pressed = report.retries > 0 || !report.out_of_memory.empty();
  report.verdict = Verdict::kTooClose;
  if (report.low > report.usable) report.verdict = Verdict::kDoesNotFit;
  if (!pressed && report.high <= report.usable) report.verdict = Verdict::kFits;
}

}  // namespace

std::string moment_text(const schedule::Label& label) {
  const std::string layer = label.layer >= 0 ? fmt::format(", layer {}", label.layer) : "";
  return fmt::format("{}{}, {}", schedule::to_string(label.phase), layer, label.name);
}

Bytes MemoryLimits::usable() const {
  const Bytes all = capacity - headroom;
  if (allocator.memory_fraction <= 0) return all;
  return std::min(all, scale(capacity, allocator.memory_fraction) + context + nccl);
}

allocator::AllocatorConfig MemoryLimits::for_replay() const {
  allocator::AllocatorConfig config = allocator;
  const double device = static_cast<double>(for_allocator().value);
  config.memory_fraction =
      std::min(1.0, config.memory_fraction * static_cast<double>(capacity.value) / device);
  return config;
}

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
  report.usable = limits.usable();
  judge(limits, report);
  return report;
}

}  // namespace heddle::run
