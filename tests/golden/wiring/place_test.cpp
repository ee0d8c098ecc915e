// Where a job should land on the two-quad H200 NVL node, through the whole program: a whole quad
// beats every split, by as much as the founding measurements of its wires say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/printed_json.h"

namespace heddle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Found {
  std::vector<int> gpus;
  double step = 0;   // s
  double busbw = 0;  // GB/s
};

/// Best first, under DDP.
std::vector<Found> places(const std::string& count) {
  const io::JsonDocument answer =
      printed_json({"place", std::string(HEDDLE_SOURCE_DIR) + "/scenarios/mistral-7b-4xh200.json",
                    "--gpus", count, "--fabric", "quad", "--set", "strategies=[\"ddp\"]"});
  std::vector<Found> found;
  for (const io::Value& item : items(answer.root(), "placements")) {
    Found& place = found.emplace_back();
    Diagnostics problems;
    for (const io::Value& gpu : items(item, "gpus")) {
      place.gpus.push_back(static_cast<int>(*gpu.as_integer(0, 7, problems)));
    }
    place.step = number(item, "step_time_s");
    place.busbw = number(item, "busbw_gb_per_s");
  }
  return found;
}

TEST(Place, AWholeQuadIsBestForFourGpusAndAnEvenSplitWorst) {
  const std::vector<Found> found = places("4");
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found.front().gpus, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(found.back().gpus, ElementsAre(0, 1, 4, 5));
  // 322 and 35 GB/s were measured: 9.2.
  EXPECT_NEAR(found.front().busbw / found.back().busbw, 9.2, 0.5);
  EXPECT_LT(found.front().step, found.back().step);
}

TEST(Place, TwoGpusBelongInsideAQuad) {
  const std::vector<Found> found = places("2");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found.front().gpus, ElementsAre(0, 1));
  EXPECT_THAT(found.back().gpus, ElementsAre(0, 4));
  // 114 and 28 GB/s were measured: 4.1.
  EXPECT_NEAR(found.front().busbw / found.back().busbw, 4.1, 0.25);
}

}  // namespace
}  // namespace heddle::test
