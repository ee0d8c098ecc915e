// The text of PYTORCH_CUDA_ALLOC_CONF.

#include "sim/allocator/alloc_conf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::allocator {
namespace {

using ::testing::HasSubstr;

AllocatorConfig parsed(std::string_view text) {
  Diagnostics found;
  const auto config = parse_alloc_conf(text, "--alloc-conf", found);
  EXPECT_TRUE(config) << (found.empty() ? "" : format(found.all().front()));
  return config.value_or(AllocatorConfig{});
}

Diagnostics refused(std::string_view text) {
  Diagnostics found;
  EXPECT_FALSE(parse_alloc_conf(text, "--alloc-conf", found)) << text;
  return found;
}

TEST(AllocConf, EmptyTextIsTheDefaults) {
  EXPECT_EQ(parsed(""), AllocatorConfig{});
  EXPECT_EQ(parsed("  "), AllocatorConfig{});
}

TEST(AllocConf, ReadsEveryKnob) {
  const AllocatorConfig config = parsed(
      "expandable_segments:True, max_split_size_mb:128,max_non_split_rounding_mb:64,"
      "garbage_collection_threshold:0.8,per_process_memory_fraction:1.0,"
      "roundup_power2_divisions:4");
  EXPECT_TRUE(config.expandable_segments);
  EXPECT_EQ(config.max_split_size, mebibytes(128));
  EXPECT_EQ(config.max_non_split_rounding, mebibytes(64));
  EXPECT_EQ(config.garbage_collection_threshold, 0.8);
  EXPECT_EQ(config.memory_fraction, 1.0);
  EXPECT_THAT(config.roundup_divisions, ::testing::Each(4));
}

/// PyTorch's own example: the first entry also holds below 256 MiB, ">" from the entry before on,
/// the gap between 1024 and 2048 belongs to 1024. Intervals are 2^i MiB: 256 MiB is i = 8.
TEST(AllocConf, ReadsAListOfDivisions) {
  const auto table = parsed("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]").roundup_divisions;
  for (int i = 0; i <= 8; ++i) EXPECT_EQ(table[static_cast<std::size_t>(i)], 1) << i;
  EXPECT_EQ(table[9], 2);
  for (std::size_t i = 10; i < 16; ++i) EXPECT_EQ(table[i], 8) << i;  // ">" overwrites 1024's too
}

/// 2^62 divisions of any size are none: they would divide by zero.
TEST(AllocConf, RefusesMoreDivisionsThanBlocks) {
  refused("roundup_power2_divisions:4611686018427387904");
  refused("roundup_power2_divisions:[256:4611686018427387904]");
}

TEST(AllocConf, KeysWithoutEffectAreNoted) {
  Diagnostics found;
  EXPECT_TRUE(parse_alloc_conf("backend:native,pinned_num_register_threads:8", "", found));
  ASSERT_EQ(found.all().size(), 2U);
  EXPECT_EQ(found.all()[1].severity, Severity::kNote);
  EXPECT_THAT(found.all()[1].message, HasSubstr("pinned_num_register_threads"));
}

TEST(AllocConf, AllFaultsAtOnceWithHints) {
  const Diagnostics found = refused(
      "expandable_segment:True,max_split_size_mb:20,expandable_segments:true,"
      "garbage_collection_threshold:1.0,roundup_power2_divisions:3,nothing");
  ASSERT_EQ(found.all().size(), 6U);
  EXPECT_THAT(found.all()[0].hint, HasSubstr("expandable_segments"));
  EXPECT_THAT(found.all()[1].hint, HasSubstr("above 20"));
  EXPECT_THAT(found.all()[2].hint, HasSubstr("True or False"));
  EXPECT_THAT(found.all()[3].message, HasSubstr("1.0"));
  EXPECT_THAT(found.all()[4].hint, HasSubstr("power of two"));
  EXPECT_THAT(found.all()[5].message, HasSubstr("key:value"));
}

TEST(AllocConf, OtherAllocatorsAreNotModelled) {
  EXPECT_EQ(refused("backend:cudaMallocAsync").all().front().code, "unsupported");
  EXPECT_EQ(refused("roundup_bypass_threshold_mb:64").all().front().code, "unsupported");
  EXPECT_EQ(refused("backend:nativ").all().front().code, "bad-value");
  EXPECT_EQ(refused("roundup_power2_divisions:[256:3]").all().front().code, "bad-value");
  EXPECT_EQ(refused("max_split_size_mb:12x").all().front().code, "bad-value");
}

}  // namespace
}  // namespace heddle::allocator
