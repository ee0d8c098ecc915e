#include <gtest/gtest.h>

#include "hw_models/gpu_reader.h"
#include "hw_models/link_reader.h"
#include "hw_models/node_reader.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

TEST(GpuReader, RefusesAFileUnderAnotherName) {
  DataFile file = shipped("gpus", "H200-SXM-141GB");
  file.stem = "H300";
  Diagnostics out;
  EXPECT_FALSE(read_gpu(file, out));
  EXPECT_TRUE(has_code(out, "wrong-name"));
}

TEST(GpuReader, ReportsAllFaultsAtOnce) {
  DataFile file = changed(shipped("gpus", "H200-SXM-141GB"), "\"4.8 TB/s\"", "\"4.8\"");
  file = changed(file, "\"132 SMs\"", "\"132\"");
  file = changed(file, "heddle.gpu/1", "heddle.gpu/9");
  Diagnostics out;
  EXPECT_FALSE(read_gpu(file, out));
  EXPECT_EQ(out.error_count(), 3);
  EXPECT_TRUE(has_code(out, "wrong-schema"));
  EXPECT_TRUE(has_code(out, "bad-count"));
}

TEST(LinkReader, RefusesMorePayloadThanLineRate) {
  const DataFile file = changed(shipped("links", "nvlink4"), "\"20.6 GB/s\"", "\"26 GB/s\"");
  Diagnostics out;
  EXPECT_FALSE(read_link(file, out));
  EXPECT_TRUE(has_code(out, "payload-above-line"));
}

TEST(LinkReader, RefusesAnUnknownKindWithASuggestion) {
  const DataFile file = changed(shipped("links", "nvlink4"), "\"nvlink\"", "\"nvlnk\"");
  Diagnostics out;
  EXPECT_FALSE(read_link(file, out));
  ASSERT_TRUE(has_code(out, "unknown-kind"));
  EXPECT_NE(out.all().front().hint.find("\"nvlink\""), std::string::npos);
}

TEST(NodeReader, RefusesMoreLinksThanAGpuHas) {
  // Three peers at seven links each need 21 of 18.
  const DataFile file = changed(shipped("nodes", "8xH200-NVL"), "\"6 links\"", "\"7 links\"");
  Diagnostics out;
  EXPECT_FALSE(read_node(file, out));
  EXPECT_TRUE(has_code(out, "too-many-links"));
}

TEST(NodeReader, RefusesAGpuInTwoGroups) {
  const DataFile file = changed(shipped("nodes", "8xH200-NVL"), "[4, 5, 6, 7]", "[3, 5, 6, 7]");
  Diagnostics out;
  EXPECT_FALSE(read_node(file, out));
  EXPECT_TRUE(has_code(out, "duplicate-gpu"));
}

TEST(NodeReader, RefusesFaultyPairs) {
  // GPU 0 of a V100 cube mesh has 1 + 1 + 2 + 2 = 6 links, all it can have.
  const auto faults = [](const std::string& from, const std::string& to) {
    Diagnostics out;
    EXPECT_FALSE(read_node(changed(shipped("nodes", "DGX-1-V100"), from, to), out));
    return out;
  };
  EXPECT_TRUE(has_code(faults("[0, 1, 1]", "[0, 1, 2]"), "too-many-links"));
  EXPECT_TRUE(has_code(faults("[0, 1, 1]", "[2, 0, 1]"), "duplicate-pair"));
  EXPECT_TRUE(has_code(faults("[0, 1, 1]", "[1, 1, 1]"), "same-gpu"));
  EXPECT_TRUE(has_code(faults("[0, 1, 1]", "[0, 1]"), "bad-pair"));
  EXPECT_TRUE(has_code(faults("[0, 1, 1]", "[0, 8, 1]"), "out-of-range"));
}

TEST(NodeReader, RefusesAnUnknownWiring) {
  const DataFile file = changed(shipped("nodes", "8xH200-SXM"), "\"nvswitch\"", "\"nvswich\"");
  Diagnostics out;
  EXPECT_FALSE(read_node(file, out));
  EXPECT_TRUE(has_code(out, "unknown-wiring"));
}

TEST(Readers, RefuseBrokenJson) {
  const DataFile file{"x.json", "x", "{\"schema\": "};
  Diagnostics out;
  EXPECT_FALSE(read_gpu(file, out));
  EXPECT_FALSE(read_link(file, out));
  EXPECT_FALSE(read_node(file, out));
  EXPECT_GE(out.error_count(), 3);
}

}  // namespace
}  // namespace heddle::hw_models
