#include "sim/base/units.h"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "sim/base/check.h"
#include "sim/base/error.h"

namespace heddle {
namespace {

// 1 byte at 3 bytes/s is a third of a second: rounded up to the next picosecond.
TEST(Units, TransfersRoundUp) {
  EXPECT_EQ((Bytes{1} / Bandwidth{3}), Duration{333'333'333'334});
  EXPECT_EQ((Bytes{0} / Bandwidth{3}), Duration{0});
  EXPECT_EQ((gigabytes(25) / Bandwidth{25'000'000'000}), Duration{kPicosPerSecond});
}

TEST(Units, RatesRoundDown) {
  EXPECT_EQ((Bytes{2} / Duration{3 * kPicosPerSecond}), Bandwidth{0});
}

TEST(Units, ComputationsRoundUp) {
  EXPECT_EQ((Flops{1e12} / FlopRate{1e12}), Duration{kPicosPerSecond});
  EXPECT_EQ((Flops{1} / FlopRate{3e12}), Duration{1});
}

TEST(Units, GbAndGibDiffer) {
  EXPECT_EQ(gigabytes(1).value, 1'000'000'000);
  EXPECT_EQ(gibibytes(1).value, 1'073'741'824);
  EXPECT_EQ(mebibytes(25).value, 26'214'400);
}

TEST(Units, ScalingRoundsToTheNearest) {
  EXPECT_EQ(scale(Bytes{10}, 0.25), Bytes{3});
  EXPECT_EQ(scale(Bandwidth{1000}, 0.893), Bandwidth{893});
}

TEST(Units, TimeBeyond106DaysIsAnErrorOfTheRun) {
  const Duration most{std::numeric_limits<std::int64_t>::max()};
  EXPECT_THROW(most + Duration{1}, Error);
  EXPECT_THROW(SimTime{1} + most, Error);
  EXPECT_THROW(most * 2, Error);
  EXPECT_THROW((Bytes{1'000'000'000'000'000'000} / Bandwidth{1}), Error);
  EXPECT_THROW(duration_from_seconds(1e8), Error);
}

TEST(Units, MeaninglessDivisionsAreOurBugs) {
  EXPECT_THROW((Bytes{1} / Bandwidth{0}), InternalError);
  EXPECT_THROW((Bytes{1} / Duration{0}), InternalError);
  EXPECT_THROW(duration_from_seconds(-1), InternalError);
}

template <typename A, typename B>
concept Addable = requires(A a, B b) {
  a + b;
};

// Wrong mixes do not compile.
static_assert(!Addable<Bytes, Duration>);
static_assert(!Addable<SimTime, SimTime>);
static_assert(!Addable<Bytes, int>);
static_assert(!std::is_convertible_v<Bytes, std::int64_t>);
static_assert(!std::is_convertible_v<SimTime, Duration>);
static_assert(Addable<SimTime, Duration>);

}  // namespace
}  // namespace heddle
