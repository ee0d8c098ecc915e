#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/diagnostics.h"
#include "sim/base/nearest_name.h"
#include "sim/base/rng.h"
#include "sim/base/stable_hash.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kNames{"ddp", "zero1", "zero2", "zero3", "fsdp"};

TEST(NearestName, FindsASlipOfTheFingers) {
  EXPECT_EQ(nearest_name("fsdb", kNames), "fsdp");
  EXPECT_EQ(nearest_name("ZERO3", kNames), "zero3");
  EXPECT_EQ(nearest_name("megatron", kNames), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'x'), kNames), "");
}

TEST(NearestName, SuggestsAndLists) {
  EXPECT_EQ(suggest_name("zero4", kNames),
            "did you mean \"zero1\"? known: ddp, zero1, zero2, zero3, fsdp");
}

TEST(Diagnostic, SaysFileLinePlaceReasonAndAdvice) {
  Diagnostics all;
  all.error("out-of-range", "a.json", "/training/micro_batch", 12, "0 is too small", "use 1");
  EXPECT_EQ(format(all.all()[0]),
            "a.json:12: error at /training/micro_batch: 0 is too small [out-of-range]\n"
            "  hint: use 1");
  all.add({Severity::kWarning, "w", "", "", 0, "m", ""});
  EXPECT_EQ(all.error_count(), 1);
}

TEST(Check, NamesTheExpressionAndTheFileWithoutItsFolder) {
  try {
    HEDDLE_CHECK(1 == 2, "numbers differ");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("`1 == 2` does not hold at text_and_random_test.cpp:"));
    EXPECT_THAT(error.what(), HasSubstr("numbers differ"));
  }
}

// SplitMix64 from seed 0 gives e220a8397b1dcdaf first (reference implementation by Vigna), and
// xoshiro256** of the first four such words starts with 99ec5f36cb75f2b4.
TEST(Rng, IsTheReferenceGenerator) {
  EXPECT_EQ(Rng(0).next(), 0x99ec5f36cb75f2b4ULL);
}

TEST(Rng, StaysInItsRange) {
  Rng rng(7);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t draw = rng.uniform_int(-2, 2);
    EXPECT_GE(draw, -2);
    EXPECT_LE(draw, 2);
    seen.insert(draw);
    const double u = rng.uniform();
    EXPECT_TRUE(u >= 0 && u < 1);
  }
  EXPECT_EQ(seen.size(), 5U);
}

// FNV-1a of nothing is its offset basis.
TEST(StableHash, IsFnv1aWithLengths) {
  EXPECT_EQ(StableHash().hex(), "cbf29ce484222325");
  EXPECT_NE(StableHash().add("ab").add("c").value(), StableHash().add("a").add("bc").value());
}

}  // namespace
}  // namespace heddle
