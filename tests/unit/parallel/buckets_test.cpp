#include "sim/parallel/buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::parallel {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(AssignBuckets, ClosesABucketWithTheTensorThatFillsIt) {
  const std::vector<Bytes> sizes{{600}, {600}, {10}, {90}, {5}};
  const auto buckets = assign_buckets(sizes, {{1000}, {100}});
  // 600 < 1000, 1200 >= 1000 closes; then the limit is 100: 10 + 90 closes; 5 is left over.
  ASSERT_THAT(buckets, SizeIs(3));
  EXPECT_THAT(buckets[0].tensors, ElementsAre(0, 1));
  EXPECT_EQ(buckets[0].bytes, Bytes{1200});
  EXPECT_THAT(buckets[1].tensors, ElementsAre(2, 3));
  EXPECT_THAT(buckets[2].tensors, ElementsAre(4));
}

TEST(AssignBuckets, DefaultsArePyTorchs) {
  const std::vector<Bytes> sizes(100, mebibytes(1));
  const auto buckets = assign_buckets(sizes, BucketLimits{});
  EXPECT_EQ(buckets[0].bytes, mebibytes(1));  // the first bucket starts communication early
  EXPECT_EQ(buckets[1].bytes, mebibytes(25));
}

TEST(AssignBuckets, NothingGivesNothing) {
  EXPECT_TRUE(assign_buckets({}, BucketLimits{}).empty());
}

}  // namespace
}  // namespace heddle::parallel
