// Ranks that die, hang, lie or refuse to go, on the backends that need nothing: what the parent
// says and that nothing of them is left.

#include "validator/launch/fleet.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "sim/io/file.h"
#include "sim/io/schedule_file.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::launch {
namespace {

namespace fs = std::filesystem;
using execute::FaultKind;
using ::testing::HasSubstr;

constexpr std::int64_t kRunNs = 300'000'000;        // for runs that hang
constexpr std::int64_t kPatientNs = 5'000'000'000;  // for runs that must not seem to
constexpr std::int64_t kAbortNs = 200'000'000;
constexpr double kPatience = 15;  // seconds a failed run may take on a busy machine

/// Ten calls to the device, two of them collectives.
schedule::Schedule small() {
  schedule::ScheduleBuilder b(2);
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  schedule::BufferId x = b.alloc(schedule::MemoryCategory::kGradients, {4096}, "x");
  schedule::Kernel sweep;
  sweep.bytes = {65'536};
  for (int i = 0; i < 2; ++i) {
    b.compute(sweep, 1, "sweep");
    b.collective({schedule::CollectiveKind::kAllReduce, b.world(), {4096}}, 1, "reduce",
                 schedule::StreamKind::kReduce);
  }
  b.wait(schedule::StreamKind::kCompute, b.record(schedule::StreamKind::kReduce));
  b.compute(sweep, 1, "last");
  b.free(x);
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  return b.finish(1);
}

/// A process that is gone or waits to be reaped by somebody else.
bool is_gone(std::int64_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(status, text);
  return !status || text.find(") Z ") != std::string::npos;
}

class FleetTest : public testing::TestWithParam<std::string> {
 protected:
  FleetTest() : folder_(fs::path(testing::TempDir()) / name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const std::string text = io::write_schedule(schedule_, {"test", "a/b", ""});
    request_.schedule_file = (folder_ / "s.hsched").string();
    io::write_file(request_.schedule_file, text);
    Diagnostics problems;
    request_.schedule_hash = io::read_schedule(text, "s", problems)->hash;
    request_.options.settings.verify = true;
    plan_.backend = find_backend(GetParam());
    plan_.ranks = 2;
    plan_.workers = fs::read_symlink("/proc/self/exe").parent_path().string();
    plan_.folder = folder_.string();
    plan_.deadlines.abort_ns = kAbortNs;
  }
  ~FleetTest() override { fs::remove_all(folder_); }

  static std::string name() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    return "heddle_fleet_" + name;
  }

  std::unique_ptr<Fleet> start() {
    FleetFailure failure;
    auto fleet = Fleet::start(plan_, failure);
    EXPECT_TRUE(fleet) << failure.text;
    for (const auto& hello : fleet->hellos()) pids_.push_back(hello.pid);
    return fleet;
  }

  FleetRun run_with(const execute::Fault& fault, std::int64_t deadline_ns = kPatientNs) {
    pids_.clear();
    const std::int64_t begin = device::steady_clock().now_ns();
    FleetRun run;
    {
      const auto fleet = start();
      request_.fault = fault;
      run = fleet->run(schedule_, request_, deadline_ns);
    }
    const double seconds = static_cast<double>(device::steady_clock().now_ns() - begin) * 1e-9;
    EXPECT_LT(seconds, kPatience);
    for (const std::int64_t pid : pids_) EXPECT_TRUE(is_gone(pid)) << pid;
    return run;
  }

  schedule::Schedule schedule_ = small();
  fs::path folder_;
  FleetPlan plan_;
  worker::Request request_;
  std::vector<std::int64_t> pids_;
};

TEST_P(FleetTest, RunsTwiceAndKnowsItsRanks) {
  const auto fleet = start();
  EXPECT_EQ(fleet->hellos()[1].rank, 1);
  EXPECT_EQ(fleet->differences(), "");
  request_.repeats = 3;
  for (int round = 0; round < 2; ++round) {
    std::size_t heard = 0;
    const FleetRun run =
        fleet->run(schedule_, request_, 20'000'000'000, [&](const auto&) { ++heard; });
    EXPECT_FALSE(run.failure.has_value()) << run.failure->text;
    EXPECT_EQ(run.repeats.size(), 3U);
    EXPECT_EQ(heard, 3U);
  }
}

TEST_P(FleetTest, NamesTheRankAndSignalOfADeath) {
  const FleetRun run = run_with({FaultKind::kDie, 1, 3});
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->problem, FleetProblem::kLost);
  EXPECT_EQ(run.failure->rank, 1);
  EXPECT_THAT(run.failure->text, HasSubstr("rank 1: its process is gone (killed by signal 9)"));
  EXPECT_EQ(run.failure->flight.size(), 2U);
}

TEST_P(FleetTest, GivesUpOnAHangAndSaysWhatEachRankDid) {
  const FleetRun run = run_with({FaultKind::kStall, 0, 1}, 2'000'000'000);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(run.failure->text, HasSubstr("no answer after 2 s"));
  EXPECT_THAT(run.failure->flight[1], HasSubstr("reduce in op"));
  EXPECT_THAT(run.failure->flight[1], HasSubstr("all_reduce of"));
}

TEST_P(FleetTest, KillsWhatIgnoresAnAbort) {
  EXPECT_TRUE(run_with({FaultKind::kIgnoreAbort, 1, 0}, kRunNs).failure.has_value());
}

TEST_P(FleetTest, TellsWrongDataFromEverythingElse) {
  const FleetRun run = run_with({FaultKind::kCorrupt, 1, 1});
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->problem, FleetProblem::kWrongData);
  EXPECT_EQ(run.failure->rank, 1);
  EXPECT_THAT(run.failure->text, HasSubstr("number 1: 1 of 2048 elements differ"));
}

TEST_P(FleetTest, TakesGarbageForAFailedRank) {
  const FleetRun run = run_with({FaultKind::kGarbage, 0, 0});
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->rank, 0);
  EXPECT_THAT(run.failure->text, HasSubstr("bytes that are no message"));
}

/// The k-th call fails, for k = 0, 1, 2, ... until there is no k-th call.
TEST_P(FleetTest, SurvivesAFaultAtEveryCall) {
  constexpr int kCalls = 9;
  for (const FaultKind kind : {FaultKind::kDie, FaultKind::kHang, FaultKind::kAsyncError}) {
    int failures = 0;
    for (std::int64_t call = 0;; ++call, ++failures) {
      SCOPED_TRACE(testing::Message() << "fault " << static_cast<int>(kind) << ", call " << call);
      const bool hangs = kind == FaultKind::kHang && call < kCalls;
      const FleetRun run = run_with({kind, 1, call}, hangs ? kRunNs : kPatientNs);
      if (HasFailure()) return;
      if (!run.failure) break;
      EXPECT_EQ(run.failure->problem, FleetProblem::kLost);
      EXPECT_TRUE(run.repeats.empty());
    }
    EXPECT_EQ(failures, kCalls);
  }
}

TEST_P(FleetTest, RefusesAnotherScheduleThanTheParents) {
  const auto fleet = start();
  request_.schedule_hash = "0123456789abcdef";
  const FleetRun run = fleet->run(schedule_, request_, 20'000'000'000);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(run.failure->text, HasSubstr("mismatch: the schedule's hash is"));
}

TEST_P(FleetTest, StopsWhenTheUserAsks) {
  std::atomic<int> interrupts = 0;
  plan_.interrupts = &interrupts;
  const auto fleet = start();
  request_.fault = {FaultKind::kStall, 0, 0};
  interrupts.store(1);
  const FleetRun run = fleet->run(schedule_, request_, 20'000'000'000);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->problem, FleetProblem::kInterrupted);
}

TEST_P(FleetTest, SaysWhatIsMissing) {
  plan_.workers = "nowhere";
  FleetFailure failure;
  EXPECT_FALSE(Fleet::start(plan_, failure));
  EXPECT_EQ(failure.problem, FleetProblem::kUnsupported);
  EXPECT_THAT(failure.text, HasSubstr(fmt::format("nowhere/heddle-worker-{}, which was not built",
                                                  plan_.backend->worker)));
}

/// SIGKILL to the parent: no rank outlives it.
TEST_P(FleetTest, RanksGoWithTheirParent) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    FleetFailure failure;
    const auto fleet = Fleet::start(plan_, failure);
    for (const auto& hello : fleet->hellos()) {
      if (write(pipe_ends[1], &hello.pid, sizeof hello.pid) < 0) _exit(1);
    }
    request_.fault = {FaultKind::kHang, 1, 0};
    fleet->run(schedule_, request_, 60'000'000'000);
    _exit(0);
  }
  std::int64_t pids[2]{};
  for (std::int64_t& pid : pids) ASSERT_EQ(read(pipe_ends[0], &pid, sizeof pid), 8);
  kill(parent, SIGKILL);
  int status = 0;
  waitpid(parent, &status, 0);
  for (const std::int64_t pid : pids) {
    for (int polls = 0; polls < 100 && !is_gone(pid); ++polls) usleep(20'000);
    EXPECT_TRUE(is_gone(pid)) << pid;
  }
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

INSTANTIATE_TEST_SUITE_P(Backends, FleetTest, testing::Values("reference", "nccl-host"),
                         [](const auto& backend) {
                           return backend.param == "reference" ? "reference" : "nccl_host";
                         });

}  // namespace
}  // namespace heddle::launch
