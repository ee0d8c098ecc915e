#include "sim/io/percent_text.h"

#include <gtest/gtest.h>

namespace heddle::io {
namespace {

TEST(PercentText, ReadsShares) {
  EXPECT_EQ(parse_percent("2 %").value, 0.02);
  EXPECT_EQ(parse_percent("0%").value, 0.0);
  EXPECT_EQ(parse_percent("1.25e1 %").value, 0.125);
}

TEST(PercentText, RefusesWithAReason) {
  for (const char* text : {"", "2", "%", "2 GB", "-1 %", "100 %", "nan %", "inf %", "1e400 %"}) {
    const Parsed<double> parsed = parse_percent(text);
    EXPECT_FALSE(parsed.value) << text;
    EXPECT_FALSE(parsed.reason.empty()) << text;
  }
}

TEST(PercentText, WritesWhatItReads) {
  for (const char* text : {"0 %", "2 %", "0.000001 %", "33.333333 %", "99.999999 %", "7 %"}) {
    EXPECT_EQ(percent_text(*parse_percent(text).value), text);
  }
}

TEST(PercentText, RoundsToAMillionthOfAPercent) {
  EXPECT_EQ(percent_text(*parse_percent("0.0000004 %").value), "0 %");
  EXPECT_EQ(percent_text(*parse_percent("0.0000005 %").value), "0.000001 %");
}

}  // namespace
}  // namespace heddle::io
