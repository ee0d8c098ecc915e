// Sizes by hand from c10/cuda/CUDACachingAllocator.cpp.

#include <gtest/gtest.h>

#include "sim/allocator/allocator_config.h"

namespace heddle::allocator {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

TEST(Sizes, RequestsAreRoundedTo512Bytes) {
  const AllocatorConfig config;
  EXPECT_EQ(rounded_size({1}, config), Bytes{512});
  EXPECT_EQ(rounded_size({512}, config), Bytes{512});
  EXPECT_EQ(rounded_size({513}, config), Bytes{1024});
  EXPECT_EQ(rounded_size({3 * kMiB + 1}, config), Bytes{3 * kMiB + 512});
}

/// PyTorch's comment: 1200 between 1024 and 2048 in four steps is 1280. There it is about units of
/// any size; here 1200 KiB. Divisions apply only above 512 bytes * divisions.
TEST(Sizes, DivisionsOfPowersOfTwo) {
  AllocatorConfig config;
  config.roundup_divisions.fill(4);
  EXPECT_EQ(rounded_size({1200 << 10}, config), Bytes{1280 << 10});
  EXPECT_EQ(rounded_size({1280 << 10}, config), Bytes{1280 << 10});
  EXPECT_EQ(rounded_size({(1280 << 10) + 1}, config), Bytes{1536 << 10});
  EXPECT_EQ(rounded_size({1800 << 10}, config), Bytes{2048 << 10});
  EXPECT_EQ(rounded_size({2048 << 10}, config), Bytes{2048 << 10});
  EXPECT_EQ(rounded_size({2048}, config), Bytes{2048}) << "not above 512 * 4";
  EXPECT_EQ(rounded_size({2049}, config), Bytes{2560});
}

TEST(Sizes, DivisionsByInterval) {
  AllocatorConfig config;
  config.roundup_divisions[4] = 2;  // 16 MiB to 32 MiB
  EXPECT_EQ(rounded_size({15 * kMiB + 1}, config), Bytes{15 * kMiB + 512});
  EXPECT_EQ(rounded_size({17 * kMiB}, config), Bytes{24 * kMiB});
  EXPECT_EQ(rounded_size({25 * kMiB}, config), Bytes{32 * kMiB});
  EXPECT_EQ(rounded_size({33 * kMiB}, config), Bytes{33 * kMiB});
}

TEST(Sizes, Segments) {
  EXPECT_EQ(segment_size({512}), mebibytes(2));
  EXPECT_EQ(segment_size(mebibytes(1)), mebibytes(2));
  EXPECT_EQ(segment_size({kMiB + 512}), mebibytes(20));
  EXPECT_EQ(segment_size({10 * kMiB - 512}), mebibytes(20));
  EXPECT_EQ(segment_size(mebibytes(10)), mebibytes(10));
  EXPECT_EQ(segment_size({10 * kMiB + 512}), mebibytes(12));
  EXPECT_EQ(segment_size(mebibytes(31)), mebibytes(32));
}

}  // namespace
}  // namespace heddle::allocator
