// How many points of a sweep a core does per second. The small case is a tiny model, where what
// points share decides; the large one Mistral-7B under DDP, where simulating does.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/cpu_time.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

/// Points per second of CPU time, the best of three.
double points_per_second(const std::vector<std::string>& more, int points) {
  const std::string file = testing::TempDir() + "heddle_sweep_speed.jsonl";
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    std::vector<std::string> arguments{"sweep",    "scenarios/mistral-7b-4xh200.json",
                                       "--jobs",   "1",
                                       "--output", file,
                                       "--case",   "nvswitch/ddp"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const double start = cpu_milliseconds();
    const ProgramOutput output = heddle(arguments);
    EXPECT_EQ(output.code, 0) << output.err;
    best = std::max(best, 1e3 * points / (cpu_milliseconds() - start));
  }
  std::filesystem::remove(file);
  return best;
}

TEST(SweepSpeed, DoesAHundredPointsOfMistralPerSecondAndCore) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const double rate = points_per_second({"--vary", "training.sequence_length=128:4096:32"}, 32);
  RecordProperty("points_per_second", static_cast<int>(rate));
  fmt::print("Mistral-7B, DDP: {:.0f} points/s per core\n", rate);
  EXPECT_GT(rate, 100);
}

TEST(SweepSpeed, ReadsMachinesAndFilesOnce) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const double rate = points_per_second(
      {"--set", "model.layers=2", "--vary", "training.sequence_length=128:4096:32"}, 32);
  RecordProperty("points_per_second", static_cast<int>(rate));
  fmt::print("two layers of it, DDP: {:.0f} points/s per core\n", rate);
  EXPECT_GT(rate, 300);
}

}  // namespace
}  // namespace heddle::test
