// What NV# means: links per GPU against the sum of a row.

#include "sim/io/import/nvlink_reading.h"

#include <gtest/gtest.h>

#include <array>

namespace heddle::io {
namespace {

/// Every two of `count` GPUs show `word`.
TokenMatrix complete(std::size_t count, const std::string& word) {
  TokenMatrix m(count, std::vector<std::optional<std::string>>(count, word));
  for (std::size_t i = 0; i < count; ++i) m[i][i] = "X";
  return m;
}

NvlinkShape shape(const TokenMatrix& matrix, int links) {
  const std::array<int, 1> known = {links};
  return read_nvlinks(matrix, known).shape;
}

NvlinkShape shape_of_any(const TokenMatrix& matrix) {
  return read_nvlinks(matrix, known_link_counts()).shape;
}

TEST(NvlinkReading, MoreLinksThanTheGpuHasAreShared) {
  EXPECT_EQ(shape(complete(8, "NV18"), 18), NvlinkShape::kShared);
  EXPECT_EQ(shape(complete(4, "NV6"), 12), NvlinkShape::kShared);     // 18 of 12: a part of a DGX
  EXPECT_EQ(shape(complete(4, "NV6"), 18), NvlinkShape::kDedicated);  // 18 of 18: a mesh of H100
  EXPECT_EQ(shape(complete(4, "NV4"), 12), NvlinkShape::kDedicated);
}

TEST(NvlinkReading, ALonePairWithAllLinksIsEither) {
  EXPECT_EQ(shape(complete(2, "NV18"), 18), NvlinkShape::kAmbiguous);
  EXPECT_EQ(shape(complete(2, "NV6"), 18), NvlinkShape::kDedicated);
  EXPECT_EQ(shape(complete(2, "NV4"), 4), NvlinkShape::kDedicated);  // these never had a switch
}

TEST(NvlinkReading, AnUnknownGpuIsJudgedOnlyWhereAllAgree) {
  EXPECT_EQ(shape_of_any(complete(8, "NV12")), NvlinkShape::kShared);
  EXPECT_EQ(shape_of_any(complete(2, "NV2")), NvlinkShape::kDedicated);
  EXPECT_EQ(shape_of_any(complete(2, "NV12")), NvlinkShape::kAmbiguous);
  EXPECT_EQ(shape_of_any(complete(4, "NV6")), NvlinkShape::kAmbiguous);
  EXPECT_EQ(shape_of_any(complete(4, "PIX")), NvlinkShape::kNone);
}

TEST(NvlinkReading, FindsIslands) {
  TokenMatrix m = complete(4, "SYS");
  m[0][3] = m[3][0] = "NV4";
  m[1][2] = m[2][1] = "NV4";
  const NvlinkReading reading = read_nvlinks(m, known_link_counts());
  EXPECT_EQ(reading.islands, (std::vector<std::vector<int>>{{0, 3}, {1, 2}}));
  EXPECT_EQ(reading.shape, NvlinkShape::kDedicated);
  EXPECT_EQ(reading.most, 4);
  EXPECT_EQ(reading.uniform, 4);
}

}  // namespace
}  // namespace heddle::io
