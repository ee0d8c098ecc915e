#include "sim/parallel/strategies/param_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::parallel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Three weights of ten elements read forward, then backward: 0 1 2 2 1 0.
ParamCache three_weights(ParamCacheLimits limits) {
  return ParamCache({10, 10, 10}, {0, 1, 2, 2, 1, 0}, limits);
}

/// Reads the next weight of the trace as a row would; true if it had to be fetched.
bool read(ParamCache& cache, int weight) {
  const bool fetched = cache.must_fetch(weight);
  cache.mark_present(weight);
  cache.advance();
  return fetched;
}

TEST(ParamCache, PrefetchesTheNextWeightsUpToTheBucket) {
  ParamCache cache = three_weights({15, 1000, 0});
  cache.begin_step();
  EXPECT_TRUE(read(cache, 0));
  // 10 < 15, so a second one joins: a group overshoots by at most one weight.
  EXPECT_THAT(cache.prefetch(), ElementsAre(1, 2));
  EXPECT_FALSE(read(cache, 1));
  EXPECT_EQ(cache.held(), 30);
}

TEST(ParamCache, NeverHoldsMoreThanMaxLiveBeforePrefetching) {
  ParamCache cache = three_weights({15, 20, 0});
  cache.begin_step();
  read(cache, 0);
  EXPECT_THAT(cache.prefetch(), ElementsAre(1));  // 20 - 10 held leaves room for one
  EXPECT_THAT(cache.prefetch(), IsEmpty());
}

TEST(ParamCache, KeepsAWeightReadAgainWithinTheReuseDistance) {
  ParamCache cache = three_weights({1, 1, 20});
  cache.begin_step();
  read(cache, 0);
  // After reading 0 come 1 and 2: 20 elements traversed, 0 itself is farther away.
  EXPECT_TRUE(cache.release(0, true));
  read(cache, 1);
  // After reading 1 come 2, 2 (20 elements), then 1: too far as well.
  EXPECT_TRUE(cache.release(1, true));
  read(cache, 2);
  EXPECT_FALSE(cache.release(2, true));  // read again at once
  EXPECT_EQ(cache.held(), 10);
}

TEST(ParamCache, DoesNotReleaseWhatAPrefetchSkippedAsPresent) {
  ParamCache cache = three_weights({30, 1000, 0});
  cache.begin_step();
  read(cache, 0);
  cache.prefetch();  // 1 and 2, and looks past the second read of 2 and of 1
  cache.prefetch();
  read(cache, 1);
  EXPECT_FALSE(cache.release(1, true));
}

TEST(ParamCache, ReleasesAtOnceWhileTheTraceIsRecorded) {
  ParamCache cache = three_weights({15, 1000, 1000});
  cache.begin_step();
  read(cache, 2);
  EXPECT_TRUE(cache.release(2, false));
  EXPECT_EQ(cache.held(), 0);
}

}  // namespace
}  // namespace heddle::parallel
