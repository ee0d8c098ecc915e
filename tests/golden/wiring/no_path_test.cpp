// A pasted wiring in which two GPUs cannot reach each other, through the whole program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kScenario = R"({
  "schema": "heddle.scenario/1",
  "name": "pasted",
  "model": {"name": "mistral-7b", "config": "CONFIG"},
  "training": {"micro_batch": 1, "sequence_length": 512, "precision": "bf16"},
  "host": {"per_dispatch": "5 us", "per_collective": "20 us"},
  "fabrics": [{"id": "a", "import": {"file": "topo.txt", "like": "8xH200-NVL"}, "gpus": [0, 1]}],
  "strategies": ["ddp"]
})";

ProgramOutput run_with_wiring(const std::string& wiring) {
  // A folder for each test: they may run at the same time.
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("heddle_no_path_" + test);
  std::filesystem::create_directories(folder);
  std::string scenario = kScenario;
  const std::string config =
      std::string(HEDDLE_SOURCE_DIR) + "/scenarios/models/mistral-7b/config.json";
  scenario.replace(scenario.find("CONFIG"), 6, config);
  std::ofstream(folder / "pasted.json") << scenario;
  std::ofstream(folder / "topo.txt") << wiring;
  const ProgramOutput output = heddle({"run", (folder / "pasted.json").string()});
  std::filesystem::remove_all(folder);
  return output;
}

TEST(PastedWiring, TwoGpusWithoutAPathAreRefused) {
  const ProgramOutput output = run_with_wiring(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tN/A\t0-15\t0\n"
      "GPU1\tN/A\t X \t0-15\t0\n");
  EXPECT_EQ(output.code, 3);
  EXPECT_TRUE(output.out.empty());
  EXPECT_THAT(output.err, HasSubstr("topo.txt:2: error: \"N/A\" in row GPU0"));
  EXPECT_THAT(output.err, HasSubstr("hint: connections are X, NV<number>, PIX"));
}

TEST(PastedWiring, AGpuWithoutARowIsRefused) {
  const ProgramOutput output = run_with_wiring(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tSYS\t0-15\t0\n");
  EXPECT_EQ(output.code, 3);
  EXPECT_THAT(output.err, HasSubstr("topo.txt: error: the row of GPU1 is not complete"));
  EXPECT_THAT(output.err, HasSubstr("hint: paste the whole output"));
}

}  // namespace
}  // namespace heddle::test
