// heddle run and explain on a tiny model: selection, forms of output, exit codes.

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using RunVerb = Program;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST_F(RunVerb, PrintsABlockPerFabricAndARowPerStrategy) {
  const Outcome result = call({"run", path("tiny.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "tiny: tiny, 1 x 128 tokens per GPU and step, bf16\n");
  expect_text(result.out,
              "fast: switched, H200, GPUs 0,1,2,3\n"
              "  NVLink x18 through NVSwitch (370.8 GB/s)\n");
  expect_text(result.out, "slow: pcie, H200, GPUs 0,1,2,3\n  PCIe switches (55.00 GB/s)\n");
  EXPECT_EQ(count(result.out, "\n  ddp  "), 2U);
  EXPECT_EQ(count(result.out, "\n  fsdp  "), 2U);
  EXPECT_LE(longest_line(result.out), 120U);
}

TEST_F(RunVerb, SaysWhatTheNumbersRestOn) {
  const Outcome result = call({"run", path("tiny.json"), "--case", "fast/ddp"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "  - 128 tokens are enough for a test\n");
  expect_text(result.out, "headroom (2.0 % of the GPU's memory");
  expect_text(result.out, "\nfingerprint ");
}

TEST_F(RunVerb, SelectsRuns) {
  const Outcome result = call({"run", path("tiny.json"), "--only", "fabric=slow,strategy=fsdp"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(count(result.out, "\n  fsdp  "), 1U);
  EXPECT_EQ(count(result.out, "\n  ddp  "), 0U);
  const Outcome wrong = call({"run", path("tiny.json"), "--only", "fabric=sloww"});
  EXPECT_EQ(wrong.code, 2);
  expect_text(wrong.err, "did you mean \"slow\"");
}

TEST_F(RunVerb, GivesTheSameBytesAgain) {
  for (const char* format : {"table", "json", "csv"}) {
    const std::vector<std::string> arguments{"run", path("tiny.json"), "--format", format};
    const Outcome first = call(arguments);
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.out, call(arguments).out) << format;
  }
}

TEST_F(RunVerb, WritesJsonAndTracesToFiles) {
  const Outcome result = call({"run", path("tiny.json"), "--case", "fast/fsdp", "--format", "json",
                               "--output", path("out.json"), "--trace", path("trace.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  expect_text(read("out.json"), "heddle.result/1");
  expect_text(read("trace.json"), "traceEvents");
}

TEST_F(RunVerb, TracesExactlyOneRun) {
  const Outcome result = call({"run", path("tiny.json"), "--trace", path("trace.json")});
  EXPECT_EQ(result.code, 2);
  for (const char* id : {"fast/ddp", "fast/fsdp", "slow/ddp", "slow/fsdp"}) {
    expect_text(result.err, id);
  }
  EXPECT_FALSE(std::filesystem::exists(path("trace.json")));
}

TEST_F(RunVerb, FailsOnOutOfMemoryOnlyWhenAsked) {
  // With 99.99 % kept free, 0.015 GB of 150 remain: less than the model's state.
  const std::vector<std::string> tight{"run", path("tiny.json"), "--set", "headroom=99.99 %"};
  const Outcome calm = call(tight);
  EXPECT_EQ(calm.code, 0) << calm.err;
  expect_text(calm.out, "NO");
  auto strict = tight;
  strict.insert(strict.end(), {"--fail-on", "oom"});
  EXPECT_EQ(call(strict).code, 7);
  EXPECT_EQ(call({"run", path("tiny.json"), "--fail-on", "oom"}).code, 0);
}

TEST_F(RunVerb, SaysWhenItCannotWrite) {
  const Outcome result = call({"run", path("tiny.json"), "--output", path("no/such/folder/x")});
  EXPECT_EQ(result.code, 6);
  expect_text(result.err, "no/such/folder/x");
}

TEST_F(RunVerb, ExplainsOneCase) {
  const Outcome result = call({"explain", path("tiny.json"), "--case", "slow/ddp"});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* part : {"Memory of the fullest GPU", "Step time", "What the host issues",
                           "all_reduce", "ring over ranks", "hw_models/gpus", "head_dim = 64"}) {
    expect_text(result.out, part);
  }
  EXPECT_EQ(call({"explain", path("tiny.json")}).code, 2);
}

TEST_F(RunVerb, ExplainsWhereAnImportsWiresComeFrom) {
  write("topo.txt", "any");
  write("mine.json", scenario("\"node\": \"pcie\"", "\"import\": \"topo.txt\""));
  const Outcome result = call({"explain", path("mine.json"), "--case", "slow/ddp"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "wires (topo.txt): ");
  const Outcome preset = call({"explain", path("mine.json"), "--case", "fast/ddp"});
  expect_text(preset.out, "wires (hw_models/nodes, switched): ");
}

TEST_F(RunVerb, ShowsHowSureItIs) {
  const Outcome result = call({"run", path("tiny.json"), "--draws", "20"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "How sure: 20 draws, seed 0;");
  expect_text(result.out, "step P10");
  EXPECT_EQ(count(result.out, "\n  fast/ddp  "), 1U);
  EXPECT_LE(longest_line(result.out), 120U);
  EXPECT_EQ(count(call({"run", path("tiny.json")}).out, "How sure"), 0U);
  EXPECT_EQ(call({"run", path("tiny.json"), "--draws", "0"}).code, 2);
}

TEST_F(RunVerb, DrawsAreTheSameForACaseAlone) {
  const std::vector<std::string> all{"run", path("tiny.json"), "--draws", "9", "--format", "json"};
  std::vector<std::string> one = all;
  one.insert(one.end(), {"--case", "slow/fsdp"});
  const std::string alone = call(one).out;
  const std::size_t at = alone.find("\"step_time_s\": {");
  ASSERT_NE(at, std::string::npos);
  expect_text(call(all).out, alone.substr(at, alone.find('\n', at) - at));
}

TEST_F(RunVerb, PrintsWhatItCosts) {
  const std::vector<std::string> arguments{
      "run", path("tiny.json"), "--set",
      R"(cost={"price": "3 EUR/GPU-hour", "power_busy": "500 W", "run": "1000 steps"})"};
  const Outcome result = call(arguments);
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "Cost of all GPUs at 3.00 EUR per GPU-hour; a GPU draws 500 W busy, - W");
  expect_text(result.out, "waiting  for wires");
  EXPECT_EQ(count(result.out, "\n  slow/fsdp  "), 1U);
}

}  // namespace
}  // namespace heddle::cli
