#include "validator/judge/statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace heddle::judge {
namespace {

TEST(Statistics, PercentilesLieBetweenOrderStatistics) {
  const std::array<double, 5> values{5, 1, 3, 2, 4};
  EXPECT_DOUBLE_EQ(percentile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(percentile(values, 0.1), 1.4);  // 0.4 of the way from 1 to 2
  EXPECT_DOUBLE_EQ(percentile(values, 1), 5);
}

TEST(Statistics, AScatteredSampleIsNoisy) {
  const std::vector<double> steady(20, 1.0);
  EXPECT_FALSE(summarize(steady).noisy());
  EXPECT_TRUE(summarize(steady).enough());
  std::vector<double> scattered;
  for (int i = 0; i < 20; ++i) scattered.push_back(i % 2 == 0 ? 1.0 : 1.4);
  EXPECT_TRUE(summarize(scattered).noisy());  // 0.4 of a median of 1.2
  EXPECT_FALSE(summarize(scattered).enough());
}

TEST(Statistics, StopsAtTheMostSamples) {
  std::vector<double> scattered;
  for (std::size_t i = 0; i < kMost; ++i) scattered.push_back(i % 2 == 0 ? 1.0 : 1.4);
  EXPECT_TRUE(summarize(scattered).enough());
  const std::vector<double> hopeless{1, 1, 1, 1, 1, 3, 3, 3, 3};  // 2 of a median of 1
  EXPECT_TRUE(summarize(hopeless).enough());
  const std::vector<double> few(kFewest - 1, 1.0);
  EXPECT_FALSE(summarize(few).enough());
}

}  // namespace
}  // namespace heddle::judge
