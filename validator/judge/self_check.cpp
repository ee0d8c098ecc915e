#include "validator/judge/self_check.h"

#include <fmt/format.h>

#include <memory>

#include "sim/io/file.h"
#include "sim/io/schedule_file.h"
#include "sim/schedule/schedule_builder.h"
#include "validator/judge/order_check.h"

namespace heddle::judge {
namespace {

using schedule::CollectiveKind;
using schedule::DType;
using schedule::Kernel;
using schedule::KernelKind;
using schedule::MemoryCategory;
using schedule::Schedule;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

constexpr Bytes kTooMuch = mebibytes(64);
constexpr Bytes kTooLittle = mebibytes(32);
constexpr std::int64_t kHangNs = 1'000'000'000;
constexpr int kAgain = 5;

Schedule every_collective(int ranks) {
  ScheduleBuilder b(ranks);
  for (const CollectiveKind kind : schedule::kCollectiveKinds) {
    for (const DType dtype : {DType::kBFloat16, DType::kFloat16, DType::kFloat32}) {
      for (const std::int64_t bytes : {48, 4096, 200'000}) {
        b.collective({kind, b.world(), {bytes}, dtype}, 1, "c", StreamKind::kReduce);
      }
    }
  }
  return b.finish(1);
}

Kernel product(std::int64_t size) {
  Kernel k;
  k.kind = KernelKind::kGemm;
  k.m = k.n = k.k = size;
  k.flops = {2.0 * static_cast<double>(size * size * size)};
  return k;
}

/// Kernels and collectives on all streams that wait for each other, and memory that comes and goes.
Schedule crossing_streams(int ranks) {
  ScheduleBuilder b(ranks);
  Kernel sweep;
  sweep.bytes = {4 << 20};
  for (int i = 0; i < 10; ++i) {
    schedule::BufferId x = b.alloc(MemoryCategory::kGatheredParameters, {3 << 20}, "x");
    b.collective({CollectiveKind::kAllGather, b.world(), {1 << 20}}, 1, "g", StreamKind::kGather);
    b.wait(StreamKind::kCompute, b.record(StreamKind::kGather));
    b.compute(product(256), 1, "p");
    b.compute(sweep, 1, "s");
    b.wait(StreamKind::kReduce, b.record(StreamKind::kCompute));
    b.collective({CollectiveKind::kReduceScatter, b.world(), {2 << 20}}, 1, "r",
                 StreamKind::kReduce);
    b.record_stream(x, StreamKind::kGather);
    b.free(x);
    if (i % 4 == 3) b.host_wait(b.record(StreamKind::kReduce));
  }
  return b.finish(1);
}

Schedule one_buffer(int ranks) {
  ScheduleBuilder b(ranks);
  schedule::BufferId x = b.alloc(MemoryCategory::kGradients, kTooMuch, "x");
  b.free(x);
  return b.finish(1);
}

/// Rank 0 alone knows of the collective.
Schedule lonely(int ranks) {
  ScheduleBuilder b(ranks);
  b.collective({CollectiveKind::kAllReduce, b.world(), {4096}}, 1, "lonely", StreamKind::kReduce);
  Schedule s = b.finish(1);
  s.programs.push_back({});
  s.program_of_rank.assign(static_cast<std::size_t>(ranks), 1);
  s.program_of_rank[0] = 0;
  return s;
}

class SelfCheck {
 public:
  explicit SelfCheck(const launch::FleetPlan& plan) : plan_(plan) {}

  std::vector<CheckResult> run() {
    check_data();
    check_streams();
    check_memory_limit();
    if (plan_.ranks > 1) check_hang();
    return std::move(results_);
  }

 private:
  launch::FleetRun run_on_ranks(const Schedule& schedule, worker::Request request,
                                std::int64_t deadline_ns) {
    launch::FleetFailure failure;
    const auto fleet = launch::Fleet::start(plan_, failure);
    if (!fleet) return {{}, failure};
    const std::string text = io::write_schedule(schedule, {"self-check", "", ""});
    Diagnostics problems;
    const auto file = io::read_schedule(text, "self-check", problems);
    request.schedule_file = plan_.folder + "/self-check.hsched";
    request.schedule_hash = file->hash;
    request.options.settings.verify = true;
    io::write_file(request.schedule_file, text);
    return fleet->run(file->schedule, request, deadline_ns);
  }
  void add(std::string name, const std::string& fault) {
    results_.push_back({std::move(name), fault.empty(), fault});
  }
  static std::string fault_of(const launch::FleetRun& run) {
    return run.failure ? run.failure->text : "";
  }

  void check_data() {
    add("data",
        fault_of(run_on_ranks(every_collective(plan_.ranks), {}, plan_.deadlines.least_ns)));
  }
  void check_streams();
  void check_memory_limit();
  void check_hang();

  const launch::FleetPlan& plan_;
  std::vector<CheckResult> results_;
};

void SelfCheck::check_streams() {
  const Schedule schedule = crossing_streams(plan_.ranks);
  worker::Request request;
  request.repeats = kAgain;
  request.options.memory = true;
  const launch::FleetRun run = run_on_ranks(schedule, request, plan_.deadlines.least_ns);
  std::string order = fault_of(run);
  std::string memory = order;
  for (const auto& runs : run.repeats) {
    for (const std::string& fault : order_faults(schedule, runs)) order = fault;
    for (const execute::RankRun& rank : runs) {
      // In turn 3 MiB and nothing.
      for (std::size_t i = 0; i < rank.memory.size(); ++i) {
        const Bytes expected = i % 2 == 0 ? Bytes{3 << 20} : Bytes{};
        if (rank.memory[i].count.total() != expected) memory = "the allocator counts otherwise";
      }
    }
  }
  add("order", order);
  add("memory", memory);
  add("again", run.repeats.size() == kAgain ? "" : "not every repeat ended: " + fault_of(run));
}

void SelfCheck::check_memory_limit() {
  worker::Request request;
  request.memory = kTooLittle;
  const launch::FleetRun run =
      run_on_ranks(one_buffer(plan_.ranks), request, plan_.deadlines.least_ns);
  const std::string fault = fault_of(run);
  const bool told = fault.find("out of memory") != std::string::npos;
  add("no room", told ? "" : "it said: " + (fault.empty() ? "nothing" : fault));
}

void SelfCheck::check_hang() {
  worker::Request request;
  request.options.deadline_ns = kHangNs;
  const launch::FleetRun run = run_on_ranks(lonely(plan_.ranks), request, plan_.deadlines.least_ns);
  const std::string fault = fault_of(run);
  const bool told = fault.find("timeout") != std::string::npos;
  add("a hang", told ? "" : "it said: " + (fault.empty() ? "nothing" : fault));
}

}  // namespace

std::vector<CheckResult> self_check(const launch::FleetPlan& plan) {
  return SelfCheck(plan).run();
}

}  // namespace heddle::judge
