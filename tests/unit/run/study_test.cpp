#include "sim/run/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "sim/run/machine_shelf.h"
#include "tests/unit/run/small_study.h"

namespace heddle::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

CaseResult run_first(const model::GpuModel& gpu = small_gpu()) {
  Diagnostics out;
  const auto study = study_of(small_scenario(), out, gpu);
  return study->run(study->cases().front(), false);
}

TEST(Study, ExpandsFabricsOutermost) {
  Scenario s = small_scenario();
  s.fabrics.push_back(s.fabrics.front());
  s.fabrics.back().id = "other";
  std::vector<std::string> ids;
  for (const CaseId& id : expand_cases(s)) ids.push_back(id.id);
  EXPECT_THAT(ids, ElementsAre("quad/ddp", "quad/fsdp", "other/ddp", "other/fsdp"));
}

TEST(Study, RefusesBf16OnAGpuWithoutIt) {
  model::GpuModel old = small_gpu();
  old.peak[static_cast<std::size_t>(schedule::DType::kBFloat16)] = {};
  Scenario s = small_scenario();
  Diagnostics out;
  EXPECT_FALSE(study_of(s, out, old));
  ASSERT_THAT(out.all(), SizeIs(1));
  EXPECT_EQ(out.all()[0].pointer, "/fabrics/0");
  EXPECT_EQ(out.all()[0].line, 7);
  EXPECT_THAT(out.all()[0].message, HasSubstr("does not compute in bf16"));
  s.compute.precision = model::Precision::kFloat32;
  Diagnostics none;
  EXPECT_TRUE(study_of(s, none, old)) << none.error_count();
}

TEST(Study, NamesAGpuTheMachineLacks) {
  Scenario s = small_scenario();
  s.fabrics.front().gpus = {{0, 0}, {0, 1}, {0, 2}, {0, 9}};
  Diagnostics out;
  EXPECT_FALSE(study_of(s, out));
  ASSERT_THAT(out.all(), SizeIs(1));
  EXPECT_EQ(out.all()[0].pointer, "/fabrics/0/gpus/3");
  EXPECT_EQ(out.all()[0].line, 7);
  EXPECT_THAT(out.all()[0].message, HasSubstr("GPU 9 does not exist"));
  EXPECT_THAT(out.all()[0].hint, HasSubstr("0 to 7"));
}

TEST(Study, RunsOnAllGpusIfNoneIsNamed) {
  Scenario s = small_scenario();
  s.fabrics.front().gpus.clear();
  Diagnostics out;
  const auto study = study_of(s, out);
  ASSERT_TRUE(study.has_value());
  EXPECT_THAT(study->members(study->cases().front()), SizeIs(8));
}

TEST(Study, RefusesDeepSpeedWithoutBf16) {
  Scenario s = small_scenario();
  s.compute.precision = model::Precision::kAutocast;
  s.strategies.push_back({"zero3", "zero3", "deepspeed", {}, "/strategies/2"});
  Diagnostics out;
  EXPECT_FALSE(study_of(s, out));
  ASSERT_THAT(out.all(), SizeIs(1));
  EXPECT_EQ(out.all()[0].pointer, "/strategies/2");
}

TEST(Study, AccountsForEveryPicosecondOfTheStep) {
  const CaseResult r = run_first();
  const engine::StepAccounting& a = r.accounting;
  EXPECT_EQ(a.compute + a.exposed_comm + a.host + a.other, a.step);
  EXPECT_EQ(r.step_time, a.step);
  EXPECT_GT(r.step_time, Duration{});
}

TEST(Study, DdpSendsARingAllReduceOfTheGradients) {
  const CaseResult r = run_first();
  // 2 layers of 4 * 512^2 + 3 * 512 * 1024 + 2 * 512, embedding and head 1000 * 512, norm 512.
  const std::int64_t parameters = 2 * (4 * 512 * 512 + 3 * 512 * 1024 + 1024) + 2 * 512'000 + 512;
  // Each rank sends 2 (n - 1) / n of 2 bytes per parameter; weights are in parts per billion.
  EXPECT_NEAR(static_cast<double>(r.wire_bytes.value), 1.5 * 2 * static_cast<double>(parameters),
              100);
}

TEST(Study, ThroughputFollowsFromTheStep) {
  const CaseResult r = run_first();
  EXPECT_DOUBLE_EQ(r.tokens_per_second, 4 * 128 / r.step_time.seconds());
  EXPECT_DOUBLE_EQ(r.samples_per_second, 4 / r.step_time.seconds());
}

TEST(Study, FitsUpToTheLastByte) {
  const CaseResult roomy = run_first();
  const MemoryReport& m = roomy.memory;
  EXPECT_TRUE(m.fits());
  EXPECT_EQ(m.nccl, Bytes{544'000'000 + 2 * 72'000'000});  // four ranks: two beyond the pair
  // Headroom is 2 % of the capacity: smallest c with high + 0.02 c <= c.
  model::GpuModel gpu = small_gpu();
  gpu.driver_memory = {(m.high.value * 50 + 48) / 49};
  EXPECT_EQ(run_first(gpu).memory.verdict, Verdict::kFits);
  gpu.driver_memory -= Bytes{100};
  EXPECT_EQ(run_first(gpu).memory.verdict, Verdict::kTooClose);
}

TEST(Study, DoesNotFitOnceEvenTheLowEndIsTooMuch) {
  const Bytes low = run_first().memory.low;
  model::GpuModel gpu = small_gpu();
  gpu.driver_memory = {(low.value * 50 + 48) / 49};
  EXPECT_EQ(run_first(gpu).memory.verdict, Verdict::kTooClose);
  gpu.driver_memory -= Bytes{100};
  EXPECT_EQ(run_first(gpu).memory.verdict, Verdict::kDoesNotFit);
}

TEST(Study, TheFourQuantitiesAreALadder) {
  const MemoryReport m = run_first().memory;
  EXPECT_LE(m.resident, m.peak_allocated);
  EXPECT_LE(m.peak_allocated, m.peak_active);
  EXPECT_LE(m.peak_active, m.peak_reserved);
  EXPECT_EQ(m.driver(), m.peak_reserved + m.context + m.nccl);
  EXPECT_EQ(m.steps.size(), 2U);
}

TEST(Study, SameInputSameOutput) {
  const CaseResult a = run_first();
  const CaseResult b = run_first();
  EXPECT_EQ(a.run.fingerprint, b.run.fingerprint);
  EXPECT_EQ(a.step_time, b.step_time);
}

TEST(Study, FingerprintFollowsScenarioAndHardware) {
  Diagnostics out;
  Scenario changed = small_scenario();
  changed.content_hash = 1;
  const std::string before = study_of(small_scenario(), out)->fingerprint();
  EXPECT_EQ(before, study_of(small_scenario(), out)->fingerprint());
  EXPECT_NE(before, study_of(changed, out)->fingerprint());
}

TEST(Study, ManyThreadsRunItAtOnce) {
  Diagnostics out;
  const auto study = study_of(small_scenario(), out);
  ASSERT_TRUE(study);
  std::vector<CaseResult> alone;
  for (const CaseId& id : study->cases()) alone.push_back(study->run(id, false));
  constexpr std::size_t kThreads = 4;
  std::vector<std::vector<CaseResult>> together(kThreads);
  std::vector<std::thread> threads;
  for (auto& results : together) {
    threads.emplace_back([&results, &study] {
      for (int i = 0; i < 5; ++i) {
        for (const CaseId& id : study->cases()) results.push_back(study->run(id, false));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& results : together) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const CaseResult& wanted = alone[i % alone.size()];
      EXPECT_EQ(results[i].step_time, wanted.step_time);
      EXPECT_EQ(results[i].memory.peak_reserved, wanted.memory.peak_reserved);
      EXPECT_EQ(results[i].wire_bytes, wanted.wire_bytes);
    }
  }
}

TEST(MachineShelf, ResolvesAMachineOnceForAllItsUses) {
  class Counting final : public OneMachine {
   public:
    using OneMachine::OneMachine;
    std::optional<fabric::Fabric> node(const std::string& name, Diagnostics& out) const override {
      ++asked;
      return OneMachine::node(name, out);
    }
    mutable int asked = 0;
  };
  const Counting catalog(small_gpu());
  MachineShelf shelf(catalog, nullptr);
  Diagnostics out;
  FabricChoice choice = small_scenario().fabrics.front();
  const auto first = shelf.open(choice, "a.json", out);
  choice.id = "by another name";
  choice.line = 9;
  const auto again = shelf.open(choice, "b.json", out);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(catalog.asked, 1);
  EXPECT_EQ(again->members, first->members);
  choice.gpus.pop_back();
  EXPECT_EQ(shelf.open(choice, "b.json", out)->members.size(), 3U);
  EXPECT_EQ(catalog.asked, 2);
  choice.gpus = {{0, 99}};
  EXPECT_FALSE(shelf.open(choice, "b.json", out));
  EXPECT_EQ(out.error_count(), 1);
  EXPECT_FALSE(shelf.open(choice, "b.json", out));  // and says so again
  EXPECT_EQ(out.error_count(), 2);
}

}  // namespace
}  // namespace heddle::run
