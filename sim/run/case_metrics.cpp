#include "sim/run/case_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/int128.h"
#include "sim/engine/gpu_speed.h"
#include "sim/model/compute_model.h"
#include "sim/model/numerics.h"
#include "sim/run/call_cost.h"
#include "sim/run/link_sharing.h"

namespace heddle::run {
namespace {

using schedule::Op;
using schedule::OpKind;

/// The ops of the last step of the first program (data-parallel ranks all run it).
std::span<const Op> last_step(const schedule::Schedule& schedule) {
  const std::vector<Op>& ops = schedule.programs.front().ops;
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (ops[i].kind != OpKind::kMark) continue;
    if (schedule.marks[ops[i].arg].kind == schedule::Mark::Kind::kStepBegin) {
      return std::span(ops).subspan(i);
    }
  }
  HEDDLE_CHECK(false, "a schedule without a step");
}

std::string describe(const collective::CollectiveCost& cost) {
  return fmt::format("{}/{} over {}", to_string(cost.algorithm), to_string(cost.protocol),
                     to_string(cost.transport));
}

TrafficLine& line_for(std::vector<TrafficLine>& lines, const schedule::Collective& call,
                      const std::string& algorithm) {
  for (TrafficLine& line : lines) {
    if (line.kind == call.kind && line.communicator == call.communicator &&
        line.algorithm == algorithm) {
      return line;
    }
  }
  lines.push_back({call.kind, call.communicator, algorithm, 0, {}, {}, {}, {}, {}, {}});
  return lines.back();
}

/// Time of `calls` calls as simulated, whatever shared the links.
Duration busy_time(const CaseResult& result, std::size_t collective, int calls) {
  const engine::CollectiveTimes& times = result.run.collectives[collective];
  return {static_cast<std::int64_t>(static_cast<Int128>(times.busy.ps) * calls / times.calls)};
}

void add_exposed(const engine::StepAccounting& step, std::size_t collective, TrafficLine& line) {
  for (const engine::ExposedPart& part : step.exposed) {
    if (part.collective != collective) continue;
    line.exposed += part.time;
    line.late += part.late;
    line.queued += part.queued;
  }
}

/// Fills the traffic lines; returns the cost of the request that takes most of the time.
std::optional<collective::CollectiveCost> measure_traffic(const MetricInputs& in,
                                                          CaseResult& result) {
  std::vector<int> calls(result.schedule->collectives.size());
  for (const Op& op : last_step(*result.schedule)) {
    if (op.kind == OpKind::kCollective) ++calls[op.arg];
  }
  Duration longest;
  std::optional<collective::CollectiveCost> limit;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    if (calls[c] == 0) continue;
    const schedule::Collective& request = result.schedule->collectives[c];
    const CallCost cost = call_cost({request.kind, request.bytes},
                                    in.communicators[request.communicator.index()], in.fabric);
    const Bytes sent = cost.sent * calls[c];
    const Duration busy = busy_time(result, c, calls[c]);
    TrafficLine& line = line_for(result.traffic, request, describe(cost.slowest));
    line.calls += calls[c];
    line.bytes += request.bytes * calls[c];
    line.wire_bytes += sent;
    line.busy += busy;
    add_exposed(result.accounting, c, line);
    result.wire_bytes += sent;
    if (busy > longest) {
      longest = busy;
      limit = cost.slowest;
    }
  }
  return limit;
}

void measure_host(const MetricInputs& in, CaseResult& result) {
  std::array<HostDispatchLine, schedule::kPhaseCount> lines{};
  for (const Op& op : last_step(*result.schedule)) {
    const schedule::Phase phase = result.schedule->label(op.label).phase;
    HostDispatchLine& line = lines[static_cast<std::size_t>(phase)];
    line.phase = phase;
    line.dispatches += op.dispatches;
    line.collectives += op.kind == OpKind::kCollective ? 1 : 0;
  }
  for (HostDispatchLine& line : lines) {
    if (line.dispatches == 0 && line.collectives == 0) continue;
    line.time = in.host.per_dispatch * line.dispatches + in.host.per_collective * line.collectives;
    result.host.push_back(line);
  }
}

/// The rank whose step takes longest; of several the slowest GPU, for which the others wait.
const engine::RankResult& critical_rank(const engine::RunResult& run) {
  return *std::max_element(run.ranks.begin(), run.ranks.end(),
                           [](const engine::RankResult& a, const engine::RankResult& b) {
                             return std::pair(a.steps.back().step, b.speed_ppb) <
                                    std::pair(b.steps.back().step, a.speed_ppb);
                           });
}

void measure_slow_ranks(const MetricInputs& in, CaseResult& result) {
  for (int rank = 0; rank < static_cast<int>(in.speeds.size()); ++rank) {
    const std::int64_t speed = engine::speed_of(in.speeds, rank);
    if (speed == kPpb) continue;
    const fabric::DeviceId gpu = in.members[static_cast<std::size_t>(rank)];
    result.slow.push_back({rank, in.fabric.device(gpu).name, static_cast<double>(speed) / kPpb});
  }
}

/// Time of the step's kernels on the compute stream, each alone, by what bounds it.
void measure_kernels(const MetricInputs& in, CaseResult& result) {
  const std::int64_t speed = critical_rank(result.run).speed_ppb;
  std::vector<model::KernelTime> times;
  for (const schedule::Kernel& kernel : result.schedule->kernels) {
    times.push_back(model::kernel_time(kernel, in.gpu));
    times.back().duration = engine::at_speed(times.back().duration, speed);
  }
  for (const Op& op : last_step(*result.schedule)) {
    if (op.kind != OpKind::kCompute || op.stream != schedule::StreamKind::kCompute) continue;
    const model::KernelTime& time = times[op.arg];
    if (time.bound == model::KernelBound::kMemory) result.memory_bound_compute += time.duration;
    if (time.bound == model::KernelBound::kFloor) result.floor_bound_compute += time.duration;
    const bool attends = result.schedule->kernels[op.arg].kind == schedule::KernelKind::kAttention;
    if (attends && time.bound == model::KernelBound::kFlops) {
      result.attention_compute += time.duration;
    }
  }
}

void measure_speed(const MetricInputs& in, CaseResult& result) {
  result.accounting = critical_rank(result.run).steps.back();
  result.step_time = result.accounting.step;
  const double seconds = result.step_time.seconds();
  HEDDLE_CHECK(seconds > 0, "a step that takes no time");
  const auto batches = static_cast<double>(result.ranks * in.micro_batches);
  result.tokens_per_second = batches * static_cast<double>(in.graph.tokens) / seconds;
  result.samples_per_second = batches * static_cast<double>(in.graph.samples) / seconds;
  const double peak = in.gpu.peak_of(model::product_dtype(in.graph.compute)).flops_per_second;
  result.mfu =
      static_cast<double>(in.micro_batches) * in.graph.flops_per_step.value / (seconds * peak);
}

/// Waiting for a collective and being slowed by one are both the wire's.
std::string dominant_part(const CaseResult& result, const std::string& wire) {
  const engine::StepAccounting& step = result.accounting;
  const std::pair<Duration, std::string> parts[] = {
      {result.arithmetic_compute(), "compute"},
      {result.memory_bound_compute, "memory"},
      {step.exposed_comm + step.slowed, wire},
      {step.host + result.floor_bound_compute, "host"},  // small kernels wait for their launch
      {step.other, "other"},
  };
  return std::max_element(std::begin(parts), std::end(parts),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

}  // namespace

std::string rate_limit(const collective::CollectiveCost& cost, const fabric::Fabric& fabric) {
  if (cost.limiting_link) return fabric.link_name(*cost.limiting_link);
  const bool staged = cost.transport == collective::Transport::kHostMemory;
  return fmt::format("{} ({} CTAs)", staged ? "host staging" : to_string(cost.protocol),
                     cost.channels);
}

Duration CaseResult::arithmetic_compute() const {
  const Duration rest =
      accounting.compute - accounting.slowed - memory_bound_compute - floor_bound_compute;
  return std::max(Duration{}, rest);  // steps that overlap cut kernels in two
}

void measure(const MetricInputs& in, CaseResult& result) {
  result.memory = measure_memory(*result.schedule, result.run, in.limits);
  measure_speed(in, result);
  measure_host(in, result);
  const auto longest = measure_traffic(in, result);
  const auto link = longest ? limiting_link(*longest, in, result.run) : std::nullopt;
  if (link) result.limiting_link = in.fabric.link_name(*link);
  measure_background(in, link, result);
  measure_slow_ranks(in, result);
  std::string wire = result.limiting_link;
  if (longest && !link) wire = rate_limit(*longest, in.fabric);
  measure_kernels(in, result);
  result.bound_by = dominant_part(result, wire);
}

}  // namespace heddle::run
