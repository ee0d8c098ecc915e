// Costs fitted to made-up measurements whose law is known.

#include "validator/judge/host_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/schedule/schedule_builder.h"
#include "sim/schedule/schedule_check.h"

namespace heddle::judge {
namespace {

using schedule::Kernel;
using schedule::KernelKind;

constexpr double kFlopsPerSecond = 1e10;
constexpr double kBytesPerSecond = 5e9;
constexpr double kFixed = 2e-6;

schedule::Schedule judged() {
  schedule::ScheduleBuilder b(2);
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  for (const std::int64_t size : {64, 128, 256}) {
    Kernel product;
    product.kind = KernelKind::kGemm;
    product.m = product.n = product.k = size;
    product.flops = {2.0 * static_cast<double>(size * size * size)};
    b.compute(product, 1, "product");
    Kernel sweep;
    sweep.bytes = {size * 4096};
    b.compute(sweep, 1, "sweep");
    b.collective({schedule::CollectiveKind::kAllReduce, b.world(), {size * 1024}}, 1, "reduce",
                 schedule::StreamKind::kReduce);
  }
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  return b.finish(1);
}

double law(const schedule::Schedule& s, const schedule::Op& op) {
  if (op.kind == schedule::OpKind::kCollective) {
    return kFixed + static_cast<double>(s.collectives[op.arg].bytes.value) / kBytesPerSecond;
  }
  const Kernel& k = s.kernels[op.arg];
  if (k.kind == KernelKind::kMemory) {
    return kFixed + static_cast<double>(k.bytes.value) / kBytesPerSecond;
  }
  return kFixed + k.flops.value / kFlopsPerSecond;
}

/// Every op after the one before it, on all streams alike: nothing overlaps.
execute::RankRun made_up(const Probe& probe) {
  execute::RankRun run;
  std::int64_t now = 0;
  const auto& ops = probe.schedule.programs.front().ops;
  for (std::uint32_t at = 0; at < ops.size(); ++at) {
    if (ops[at].kind == schedule::OpKind::kMark) run.marks_ns.push_back(now);
    if (ops[at].kind != schedule::OpKind::kCompute &&
        ops[at].kind != schedule::OpKind::kCollective) {
      continue;
    }
    const auto took = static_cast<std::int64_t>(law(probe.schedule, ops[at]) * 1e9);
    run.ops.push_back({at, ops[at].stream, now, now + took});
    now += took;
  }
  return run;
}

TEST(ProbeSchedule, IsSoundAndSharesNoShapeWithWhatIsJudged) {
  const schedule::Schedule s = judged();
  const Probe probe = probe_schedule(s);
  EXPECT_TRUE(schedule::check_schedule(probe.schedule).empty());
  for (const Kernel& k : probe.schedule.kernels) {
    EXPECT_EQ(std::count(s.kernels.begin(), s.kernels.end(), k), 0);
  }
  for (const schedule::Collective& c : probe.schedule.collectives) {
    EXPECT_EQ(std::count(s.collectives.begin(), s.collectives.end(), c), 0);
  }
  const auto& ops = probe.schedule.programs.front().ops;
  for (const std::uint32_t op : probe.beside_collectives) {
    EXPECT_EQ(ops[op].kind, schedule::OpKind::kCollective);
  }
  for (const std::uint32_t op : probe.turns) EXPECT_EQ(ops[op].kind, schedule::OpKind::kCompute);
}

TEST(HostCosts, FindsTheLawBehindTheProbe) {
  const schedule::Schedule s = judged();
  const Probe probe = probe_schedule(s);
  const std::vector<std::vector<execute::RankRun>> repeats(2, {made_up(probe), made_up(probe)});
  const engine::CostTable costs = HostCosts(probe, repeats).price(s);
  for (const schedule::Op& op : s.programs.front().ops) {
    if (op.kind == schedule::OpKind::kMark) continue;
    const double priced = op.kind == schedule::OpKind::kCompute
                              ? costs.kernels[op.arg].seconds()
                              : costs.collectives[op.arg].total.seconds();
    EXPECT_NEAR(priced / law(s, op), 1.0, 0.02);
  }
  // One after the other: nothing runs beside a collective, so it has (almost) no pace there.
  EXPECT_NEAR(costs.beside[0][0].seconds() / costs.kernels[0].seconds(), 50, 1);
}

}  // namespace
}  // namespace heddle::judge
