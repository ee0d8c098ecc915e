// Where a job should land on the two-quad H200 NVL node, through the whole program: a whole quad
// beats every split, by as much as the founding measurements of its wires say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/check.h"
#include "sim/io/json_document.h"
#include "tests/support/whole_program.h"

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
  const ProgramOutput output = heddle(
      {"place", std::string(HEDDLE_SOURCE_DIR) + "/scenarios/mistral-7b-4xh200.json", "--gpus",
       count, "--fabric", "quad", "--set", "strategies=[\"ddp\"]", "--format", "json"});
  EXPECT_EQ(output.code, 0) << output.err;
  Diagnostics problems;
  const auto document = io::JsonDocument::parse(output.out, "place", problems);
  HEDDLE_CHECK(document.has_value(), output.out);
  std::vector<Found> found;
  for (const io::Value& item : document->root().member("placements")->items(problems)) {
    Found& place = found.emplace_back();
    for (const io::Value& gpu : item.member("gpus")->items(problems)) {
      place.gpus.push_back(static_cast<int>(*gpu.as_integer(0, 7, problems)));
    }
    place.step = *item.member("step_time_s")->as_number(0, 100, problems);
    place.busbw = *item.member("busbw_gb_per_s")->as_number(0, 1000, problems);
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
