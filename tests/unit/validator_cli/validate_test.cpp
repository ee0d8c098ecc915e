// `heddle validate` and `heddle compare` as a user calls them, on the reference backend. Times are
// whatever the machine gives today: asserted is what may not depend on them.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <map>

#include "sim/io/json_document.h"
#include "tests/support/cpu_time.h"
#include "tests/unit/cli/program.h"
#include "validator/cli/verbs.h"

namespace heddle::validator_cli {
namespace {

using cli::Outcome;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class Validate : public cli::Program {
 protected:
  Validate() { more_ = {add_validate, add_compare, add_calibrate_backend, add_gpu_check}; }

  Outcome validate(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"validate",  path("tiny.json"), "--case",
                                       "fast/ddp",  "--ranks",         "2",
                                       "--backend", "reference"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return call(arguments);
  }
  std::string exported() const {
    const Outcome outcome = call({"export", "schedule", path("tiny.json"), "--case", "fast/ddp",
                                  "--set", "fabrics.0.gpus=[0,1]"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
};

/// By dotted path; "" if absent.
std::string field(const std::string& text, const std::string& path) {
  Diagnostics problems;
  const auto document = io::JsonDocument::parse(text, "report", problems);
  EXPECT_TRUE(document.has_value());
  std::optional<io::Value> value = document->root();
  for (std::size_t at = 0; value && at <= path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    value = value->member(path.substr(at, dot - at));
    at = dot + 1;
  }
  if (!value) return "";
  switch (value->kind()) {
    case io::JsonKind::kString:
      return *value->as_string(problems);
    case io::JsonKind::kBool:
      return *value->as_bool(problems) ? "true" : "false";
    case io::JsonKind::kInteger:
      return std::to_string(*value->as_integer(INT64_MIN, INT64_MAX, problems));
    default:
      return "a value";
  }
}

TEST_F(Validate, PredictsRunsAndReports) {
  const Outcome outcome =
      validate({"-o", path("r.json"), "--tolerance", "1000", "--trace", path("t.json")});
  // 5: a busy machine. Sanitizers keep freed memory to themselves: the process grows, exit 1.
  if (test::kMeasures || outcome.code != 1) {
    EXPECT_THAT(outcome.code, AnyOf(0, 5)) << outcome.out << outcome.err;
  }
  const std::string report = read("r.json");
  EXPECT_EQ(field(report, "schema"), "heddle.validation/1");
  EXPECT_EQ(field(report, "complete"), "true");
  EXPECT_EQ(field(report, "ranks"), "2");
  EXPECT_EQ(field(report, "memory.differing"), "0");
  if (test::kMeasures) {
    EXPECT_EQ(field(report, "memory.resident_agrees"), "true");
  }
  EXPECT_EQ(field(report, "memory.peak_predicted_bytes"),
            field(report, "memory.peak_measured_bytes"));
  EXPECT_EQ(field(report, "memory.timeline.rank"), "0");
  EXPECT_EQ(field(report, "memory.timeline.moments"), "a value");
  EXPECT_EQ(field(report, "step.predicted_s"), "a value");
  EXPECT_EQ(field(report, "lanes.measured"), "a value");
  EXPECT_THAT(outcome.out, HasSubstr("all_reduce"));
  EXPECT_FALSE(std::filesystem::exists(path("r.json.journal")));
  EXPECT_FALSE(std::filesystem::exists(path("r.json.lock")));
  const std::string prediction = read("r.json.prediction");
  EXPECT_EQ(field(prediction, "schema"), "heddle.prediction/1");
  EXPECT_EQ(field(prediction, "schedule_hash"), field(report, "schedule_hash"));

  const std::string trace = read("t.json");
  EXPECT_EQ(field(trace, "displayTimeUnit"), "ms");
  EXPECT_THAT(trace, HasSubstr("predicted, 2 equal ranks"));
  EXPECT_THAT(trace, HasSubstr("measured, rank 1"));

  const Outcome compared = call({"compare", path("r.json"), path("r.json")});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("peak allocated"));
  EXPECT_THAT(compared.out, HasSubstr("+0.0"));

  const Outcome page = call({"compare", path("r.json"), "--format", "html"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("<g class=\"predicted\"><rect"));
  EXPECT_THAT(page.out, HasSubstr("<g class=\"measured\"><rect"));
  EXPECT_THAT(page.out, HasSubstr("rank 1 compute"));
  EXPECT_THAT(page.out, HasSubstr("Memory at its peak, by category"));
  EXPECT_EQ(page.out.find("http"), std::string::npos);  // nothing comes from a network
}

/// One size edited, one Free dropped: both are named, and the verdict is about them.
TEST_F(Validate, ReportsEveryEditOfTheSchedule) {
  std::string text = exported();
  text.replace(text.find("hash ") + 5, 16, "none");
  const std::size_t buffer = text.find("\nbuffer ") + 8;
  const std::size_t digits = text.find(' ', buffer) - buffer;
  text.replace(buffer, digits, "1049088");  // no size of this model
  const std::size_t dropped = text.rfind("\nfree ");
  text.erase(dropped, text.find('\n', dropped + 1) - dropped);
  write("edited.hsched", text);
  const Outcome outcome =
      validate({"--schedule", path("edited.hsched"), "-o", path("r.json"), "--tolerance", "1000"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(field(read("r.json"), "sealed"), "false");
  EXPECT_THAT(outcome.out, HasSubstr("1049088 B measured"));
  EXPECT_THAT(outcome.out, HasSubstr("predicted, never happened"));
}

TEST_F(Validate, AnUnknownBackendIsUsage) {
  const Outcome outcome =
      call({"validate", path("tiny.json"), "--case", "fast/ddp", "--backend", "reference2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"reference\""));
}

TEST_F(Validate, MoreRanksThanTheCaseHasIsUsage) {
  const Outcome outcome = validate({"--ranks", "5"});
  EXPECT_EQ(outcome.code, 2);
}

TEST_F(Validate, ABadScheduleIsRefusedBeforeAnythingRuns) {
  write("bad.hsched", "heddle.schedule/2\n");
  const Outcome outcome = validate({"--schedule", path("bad.hsched")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err.find("starting ranks"), std::string::npos);
}

TEST_F(Validate, AScheduleThatDeadlocksIsRefusedBeforeAnythingRuns) {
  std::string text = exported();
  text.replace(text.find("hash ") + 5, 16, "none");
  const std::size_t record = text.find("\nrecord ");
  text.erase(record, text.find('\n', record + 1) - record);
  write("deadlock.hsched", text);
  const Outcome outcome = validate({"--schedule", path("deadlock.hsched")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("not recorded before it"));
}

TEST_F(Validate, AnOutputThatAnotherRunHoldsIsUsage) {
  const int lock = open(path("r.json.lock").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  const Outcome outcome = validate({"-o", path("r.json")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("written by another run"));
  close(lock);
}

TEST_F(Validate, AnOutputThatCannotBeWrittenIsSaidBeforeAnythingRuns) {
  const Outcome outcome = validate({"-o", path("no/such/folder/r.json")});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.err.find("starting ranks"), std::string::npos);
}

TEST_F(Validate, CompareRefusesForeignFiles) {
  write("x.json", "{\"schema\": \"heddle.scenario/1\"}");
  const Outcome outcome = call({"compare", path("x.json"), path("x.json")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("unknown-format"));
}

TEST_F(Validate, CompareWantsASecondFileForAResult) {
  ASSERT_EQ(call({"run", path("tiny.json"), "--case", "fast/ddp", "--format", "json", "--output",
                  path("a.json")})
                .code,
            0);
  const Outcome outcome = call({"compare", path("a.json")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("name a second file"));
}

TEST_F(Validate, ComparesTwoSimulatedResults) {
  const std::vector<std::string> run{"run",  path("tiny.json"), "--case", "fast/ddp", "--format",
                                     "json", "--output"};
  for (const char* file : {"a.json", "b.json"}) {
    std::vector<std::string> arguments = run;
    arguments.push_back(path(file));
    if (std::string(file) == "b.json") {
      arguments.insert(arguments.end(), {"--set", "training.micro_batch=2"});
    }
    ASSERT_EQ(call(arguments).code, 0);
  }
  const Outcome outcome = call({"compare", path("a.json"), path("b.json"), "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(field(outcome.out, "schema"), "heddle.comparison/1");
  EXPECT_THAT(outcome.out, HasSubstr("\"name\": \"tokens\""));
}

/// Probed once, used by a validation that then probes nothing.
TEST_F(Validate, KeepsACalibrationAndUsesIt) {
  const Outcome made =
      call({"calibrate", "--backend", "reference", "--ranks", "2", "-o", path("c")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("product/rate"));
  const Outcome outcome = validate(
      {"--calibration", path("c"), "--tolerance", "1000", "--attempts", "1", "-o", path("r.json")});
  EXPECT_THAT(outcome.code, AnyOf(0, 5)) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("calibration extrapolated: "));
  EXPECT_EQ(field(read("r.json"), "step.drift"), "0");
  const Outcome other = call({"validate", path("tiny.json"), "--case", "fast/ddp", "--ranks", "1",
                              "--backend", "reference", "--calibration", path("c")});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("has no 1 ranks"));
}

TEST_F(Validate, CalibratesByNcclOnlyWithAGpu) {
  const Outcome outcome =
      call({"calibrate", "--backend", "nccl", "--ranks", "1000", "-o", path("c")});
  EXPECT_EQ(outcome.code, 4);
  const Outcome neither = call({"calibrate", "-o", path("c")});
  EXPECT_EQ(neither.code, 2);
}

/// The whole of it on threads that stand for GPUs: times mean nothing, all else must hold.
TEST_F(Validate, GpuCheckLeavesAFolderWithEverything) {
  const Outcome outcome = call({"gpu-check", "--backend", "nccl-host", "--ranks", "2", "--scenario",
                                path("tiny.json"), "--fabric", "fast", "--strategies", "ddp",
                                "--scale", "1", "--attempts", "1", "-o", path("check")});
  EXPECT_THAT(outcome.code, AnyOf(0, 1, 5)) << outcome.out << outcome.err;
  for (const char* name : {"data", "order", "memory", "again", "no room", "a hang"}) {
    EXPECT_THAT(outcome.out, ContainsRegex(std::string(name) + " +passed"));
  }
  EXPECT_EQ(field(read("check/summary.json"), "schema"), "heddle.gpu-check/1");
  const std::string report = read("check/ddp.json");
  EXPECT_EQ(field(report, "backend"), "nccl-host");
  EXPECT_EQ(field(report, "memory.differing"), "0");
  EXPECT_EQ(field(report, "gpu.reserved_agrees"), "true");
  EXPECT_THAT(read("check/ddp.html"), HasSubstr("<svg class=\"lanes\""));
  EXPECT_THAT(read("check/ddp.txt"), HasSubstr("allocator: "));
}

TEST_F(Validate, GpuCheckSaysWhereThereIsNoGpu) {
  const Outcome outcome = call({"gpu-check", "--ranks", "1000", "-o", path("check")});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.out, AnyOf(HasSubstr("No GPU can be used here"), HasSubstr("1000 ranks")));
}

}  // namespace
}  // namespace heddle::validator_cli
