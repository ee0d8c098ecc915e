#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using ImportVerb = Program;

constexpr const char* kTopo =
    "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tNV12\tPIX\t0-3\t0\n"
    "GPU1\tNV12\t X \tSYS\t4-7\tN/A\n";

TEST_F(ImportVerb, ShowsWhatATextSays) {
  write("topo.txt", kTopo);
  const Outcome result = call({"import", "auto", path("topo.txt")});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "nvidia-smi-topo (nvidia-smi topo -m), 2 GPUs, 1 NIC");
  expect_text(result.out, "GPU1  NV12  X     -     4-7");
  expect_text(result.out, "NIC0  PIX      GPU0");
  expect_text(result.out, "NVLink: ambiguous, 12 links seen per GPU");
  expect_text(result.out, "island of GPUs 0,1");
  expect_text(result.out, "--gpu MODEL");
}

TEST_F(ImportVerb, PrintsJson) {
  write("topo.txt", kTopo);
  const Outcome result = call({"import", "nvidia-smi-topo", path("topo.txt"), "--format", "json"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "\"kind\": \"nvidia-smi-topo\"");
  expect_text(result.out, "[\"X\", \"NV12\"]");
  expect_text(result.out, "\"numa\": [0, null]");
  expect_text(result.out, "\"nics\": [\"NIC0\"]");
}

TEST_F(ImportVerb, WritesTheMachine) {
  write("topo.txt", kTopo);
  const Outcome result =
      call({"import", "auto", path("topo.txt"), "--gpu", "H200", "-o", path("node.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(read("node.json"), "machine of " + path("topo.txt") + " with H200\n");
}

TEST_F(ImportVerb, RefusesWhatItCannotRead) {
  write("other.txt", "nothing of interest\n");
  const Outcome unknown = call({"import", "auto", path("other.txt")});
  EXPECT_EQ(unknown.code, 3);
  expect_text(unknown.err, "can be imported: ");
  const Outcome named = call({"import", "nvidia-smi-topo", path("other.txt")});
  EXPECT_EQ(named.code, 3);
  expect_text(named.err, "other.txt:1: error: no topology matrix");
  const Outcome kind = call({"import", "nvidia-smi-top", path("other.txt")});
  EXPECT_EQ(kind.code, 2);
  expect_text(kind.err, "did you mean \"nvidia-smi-topo\"");
  EXPECT_EQ(call({"import", "auto", path("missing.txt")}).code, 3);
}

}  // namespace
}  // namespace heddle::cli
