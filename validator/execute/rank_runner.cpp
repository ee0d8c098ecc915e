#include "validator/execute/rank_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::execute {

using schedule::Op;
using schedule::OpKind;

namespace {

constexpr int kQuickPolls = 64;
constexpr std::int64_t kNap = 50'000;  // between polls that came to nothing

}  // namespace

RankRunner::RankRunner(const schedule::Schedule& schedule, int rank, device::Device& device,
                       const device::Clock& clock)
    : schedule_(schedule),
      program_(schedule.programs[static_cast<std::size_t>(
          schedule.program_of_rank[static_cast<std::size_t>(rank)])]),
      device_(device),
      clock_(clock) {}

template <typename Ready>
bool RankRunner::await(Ready ready, const RunOptions& options, RankRun& run) {
  for (int polls = 0; !ready(); ++polls) {
    if ((run.failure = device_.failure())) return false;
    const std::int64_t waited = clock_.now_ns() - run.start_ns;
    if (options.deadline_ns > 0 && waited > options.deadline_ns) {
      run.failure = device::Failure{
          device::FailureKind::kTimeout,
          fmt::format("not done after {:.3g} s", static_cast<double>(waited) * 1e-9)};
      return false;
    }
    clock_.sleep_ns(polls < kQuickPolls ? 1'000 : kNap);
  }
  return true;
}

void RankRunner::note_memory(std::uint32_t at, const RunOptions& options, RankRun& run) {
  if (!options.memory) return;
  const Bytes resident = options.settings.return_memory ? device_.footprint() : Bytes{};
  run.memory.push_back({at, device_.memory(), resident, device_.reserved()});
}

bool RankRunner::perform(std::uint32_t at, const Op& op, const RunOptions& options, RankRun& run) {
  switch (op.kind) {
    case OpKind::kCompute:
      device_.compute(at, op.stream, schedule::KernelId{op.arg});
      return true;
    case OpKind::kCollective:
      device_.collective(at, op.stream, schedule::CollectiveId{op.arg});
      return true;
    case OpKind::kAlloc:
      run.failure = device_.allocate(schedule::BufferId{op.arg});
      run.peak_reserved = std::max(run.peak_reserved, device_.reserved());
      note_memory(at, options, run);
      return !run.failure;
    case OpKind::kFree:
      device_.free(schedule::BufferId{op.arg});
      note_memory(at, options, run);
      return true;
    case OpKind::kRecord:
      device_.record(at, op.stream, schedule::EventId{op.arg});
      return true;
    case OpKind::kWait:
      device_.wait(at, op.stream, schedule::EventId{op.arg});
      return true;
    case OpKind::kHostWait:
      return await([&] { return device_.reached(schedule::EventId{op.arg}); }, options, run);
    case OpKind::kMark:
      run.marks_ns.push_back(clock_.now_ns());
      return true;
    case OpKind::kHostWork:
      return true;
  }
  return true;
}

RankRun RankRunner::run(const RunOptions& options) {
  RankRun run;
  run.failure = device_.begin(options.settings);
  run.start_ns = clock_.now_ns();
  run.resident_before = device_.footprint();
  const std::vector<Op>& ops = program_.ops;
  for (std::uint32_t at = 0; !run.failure && at < ops.size(); ++at) {
    host_op_.store(at);
    run.failed_at = at;
    perform(at, ops[at], options, run);
  }
  if (!run.failure) await([&] { return device_.idle(); }, options, run);
  if (!run.failure) run.failure = device_.failure();
  if (run.failure) {
    device_.abort();
  } else {
    run.ops = device_.take_times();
  }
  return run;
}

}  // namespace heddle::execute
