// Whatever happens to the ranks of a validation: an exit code of its own, a report that parses, no
// agreement.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/io/json_document.h"
#include "sim/schedule/schedule_builder.h"
#include "validator/cli/validation_text.h"
#include "validator/judge/prediction_json.h"

namespace heddle::validator_cli {
namespace {

namespace fs = std::filesystem;
using cli::ExitCode;
using execute::FaultKind;
using judge::Validation;
using ::testing::HasSubstr;

std::string small_plan() {
  schedule::ScheduleBuilder b(2);
  schedule::Kernel sweep;
  sweep.bytes = {65'536};
  for (int step = 0; step < 2; ++step) {
    b.mark(schedule::Mark::Kind::kStepBegin, step);
    schedule::BufferId x = b.alloc(schedule::MemoryCategory::kGradients, {4096}, "x");
    b.compute(sweep, 1, "sweep");
    b.collective({schedule::CollectiveKind::kAllReduce, b.world(), {4096}}, 1, "reduce",
                 schedule::StreamKind::kReduce);
    b.wait(schedule::StreamKind::kCompute, b.record(schedule::StreamKind::kReduce));
    b.free(x);
    b.mark(schedule::Mark::Kind::kStepEnd, step);
  }
  return io::write_schedule(b.finish(2), {"failures", "a/b", "0"});
}

class Failures : public testing::TestWithParam<std::string> {
 protected:
  Failures() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = fs::path(testing::TempDir()) / ("heddle_failures_" + name);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    plan_.planned_text = small_plan();
    Diagnostics problems;
    plan_.planned = *io::read_schedule(plan_.planned_text, "plan", problems);
    plan_.tolerance = 10;
    plan_.attempts = 1;
    plan_.fleet.backend = launch::find_backend(GetParam());
    plan_.fleet.ranks = 2;
    plan_.fleet.workers = fs::read_symlink("/proc/self/exe").parent_path().string();
    plan_.fleet.folder = folder_.string();
    plan_.fleet.deadlines.least_ns = 20'000'000'000;
    plan_.fleet.deadlines.of_predicted = 1;
    plan_.fleet.deadlines.abort_ns = 200'000'000;
  }
  ~Failures() override { fs::remove_all(folder_); }

  /// Every report is JSON, names the schedule and does not agree.
  void expect_failure(const execute::Fault& fault, ExitCode code, const std::string& words) {
    plan_.fault = fault;
    const Validation result = judge::validate(plan_, listener_);
    EXPECT_EQ(exit_code_of(result), code) << validation_text(plan_, result);
    EXPECT_THAT(validation_text(plan_, result), HasSubstr(words));
    const std::string json = judge::validation_json(plan_, result);
    Diagnostics problems;
    const auto document = io::JsonDocument::parse(json, "report", problems);
    ASSERT_TRUE(document.has_value());
    EXPECT_THAT(json, HasSubstr(plan_.planned.hash));
    EXPECT_NE(result.verdict, judge::Verdict::kAgrees);
    EXPECT_EQ(result.complete, code != ExitCode::kInterrupted);
  }

  fs::path folder_;
  judge::ValidationPlan plan_;
  judge::ValidationListener listener_;
};

TEST_P(Failures, ADeadRankIsNoMeasurement) {
  expect_failure({FaultKind::kDie, 1, 2}, ExitCode::kRunFailed, "killed by signal 9");
}

TEST_P(Failures, AHangIsNoMeasurement) {
  plan_.fleet.deadlines.least_ns = 3'000'000'000;
  expect_failure({FaultKind::kIgnoreAbort, 0, 1}, ExitCode::kRunFailed, "no answer after 3 s");
}

TEST_P(Failures, AnAsynchronousErrorIsNoMeasurement) {
  expect_failure({FaultKind::kAsyncError, 0, 1}, ExitCode::kRunFailed, "asynchronous error");
}

TEST_P(Failures, OutOfMemoryIsNoMeasurement) {
  expect_failure({FaultKind::kOutOfMemory, 1, 0}, ExitCode::kRunFailed, "out of memory");
}

TEST_P(Failures, GarbageIsNoMeasurement) {
  expect_failure({FaultKind::kGarbage, 1, 0}, ExitCode::kRunFailed, "no message");
}

TEST_P(Failures, AMissingWorkerIsUnsupported) {
  plan_.fleet.workers = "nowhere";
  expect_failure({}, ExitCode::kUnsupported, "not built");
}

TEST_P(Failures, AnInterruptLeavesAPartialReport) {
  std::atomic<int> interrupts = 0;
  plan_.fleet.interrupts = &interrupts;
  listener_.sample = [&](int, double) { interrupts.store(1); };
  expect_failure({}, ExitCode::kInterrupted, "interrupted");
}

TEST_P(Failures, AScheduleBeyondTheMachineIsRefused) {
  schedule::ScheduleBuilder b(2);
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  b.alloc(schedule::MemoryCategory::kParameters, gigabytes(100'000), "too much");
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  plan_.planned.schedule = b.finish(1);
  expect_failure({}, ExitCode::kUnsupported, "--scale");
}

/// A collective's wrong bit is a disagreement, and no time is told.
TEST_P(Failures, WrongDataDisagrees) {
  plan_.check_fault = {FaultKind::kCorrupt, 1, 1};
  expect_failure({}, ExitCode::kDisagrees, "elements differ");
}

INSTANTIATE_TEST_SUITE_P(Backends, Failures, testing::Values("reference", "nccl-host"),
                         [](const auto& backend) {
                           return backend.param == "reference" ? "reference" : "nccl_host";
                         });

/// What only a GPU's backend can meet.
class GpuFailures : public Failures {
 protected:
  /// A worker that does what `script` says, beside nothing else.
  void pretend(const std::string& script) {
    const fs::path worker = folder_ / "heddle-worker-nccl";
    std::ofstream(worker) << "#!/bin/sh\n" << script;
    fs::permissions(worker, fs::perms::owner_all);
    plan_.fleet.workers = folder_.string();
  }
};

TEST_P(GpuFailures, ARefusedCallIsNoMeasurement) {
  for (const std::int64_t call : {0, 30, 60}) {
    expect_failure({FaultKind::kRefused, 1, call}, ExitCode::kRunFailed, "call refused");
  }
}

TEST_P(GpuFailures, WithoutAGpuItIsUnsupported) {
  pretend("echo devices 0; echo missing no libcuda.so.1 anywhere\n");
  plan_.fleet.backend = launch::find_backend("nccl");
  expect_failure({}, ExitCode::kUnsupported, "cannot run here: no libcuda.so.1 anywhere");
}

TEST_P(GpuFailures, MoreRanksThanGpusAreUnsupported) {
  pretend("echo devices 1; echo nccl 2.28.9\n");
  plan_.fleet.backend = launch::find_backend("nccl");
  expect_failure({}, ExitCode::kUnsupported, "2 ranks, 1 GPU: NCCL wants a GPU per rank");
}

/// A probe that says nothing is a machine without GPUs, not a crash.
TEST_P(GpuFailures, AProbeThatSaysNothingIsUnsupported) {
  pretend("exit 1\n");
  plan_.fleet.backend = launch::find_backend("nccl");
  expect_failure({}, ExitCode::kUnsupported, "no GPU answered");
}

/// Rank 1 alone has a setting of NCCL's: guessing later would be hopeless.
TEST_P(GpuFailures, RanksThatDifferAreUnsupported) {
  const std::string real = plan_.fleet.workers + "/heddle-worker-nccl";
  pretend("[ \"$2\" = 1 ] && export NCCL_ALGO=Tree\nexec " + real + " \"$@\"\n");
  expect_failure({}, ExitCode::kUnsupported, "rank 1: NCCL settings is \"NCCL_ALGO=Tree\"");
}

/// The GPU's library went away between the probe and the start.
TEST_P(GpuFailures, ARankThatCannotStartIsNoMeasurement) {
  pretend("[ \"$1\" = probe ] && echo devices 2 || { echo GPU 0 is lost >&2; exit 4; }\n");
  plan_.fleet.backend = launch::find_backend("nccl");
  expect_failure({}, ExitCode::kRunFailed, "GPU 0 is lost");
}

INSTANTIATE_TEST_SUITE_P(Backends, GpuFailures, testing::Values("nccl-host"),
                         [](const auto&) { return "nccl_host"; });

}  // namespace
}  // namespace heddle::validator_cli
