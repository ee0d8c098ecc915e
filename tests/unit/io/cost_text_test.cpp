#include "sim/io/cost_text.h"

#include <gtest/gtest.h>

namespace heddle::io {
namespace {

TEST(CostText, ReadsWhatItWrites) {
  const Parsed<Price> price = parse_price("2.99 USD/GPU-hour");
  ASSERT_TRUE(price.value) << price.reason;
  EXPECT_EQ(price.value->amount, 2.99);
  EXPECT_EQ(price.value->currency, "USD");
  EXPECT_EQ(price_text(2.99, "USD"), "2.99 USD/GPU-hour");
  EXPECT_EQ(parse_price("0 x/GPU-hour").value->amount, 0);
  EXPECT_EQ(parse_power("0.35 kW").value, 350);
  EXPECT_EQ(power_text(350), "350 W");
  const auto length = parse_run_length("15e12 tokens");
  ASSERT_TRUE(length.value) << length.reason;
  EXPECT_EQ(*length.value, (run::RunLength{run::RunLength::Unit::kTokens, 15e12}));
  EXPECT_EQ(parse_run_length(run_length_text(*length.value)).value, length.value);
}

TEST(CostText, RefusesWithAnExample) {
  for (const char* text :
       {"", "USD", "2.99", "2.99 /GPU-hour", "2.99 US$/GPU-hour", "2.99 USD/hour",
        "-1 USD/GPU-hour", "nan USD/GPU-hour", "1e9 USD/GPU-hour", "2.99 longestword/GPU-hour"}) {
    const Parsed<Price> price = parse_price(text);
    EXPECT_FALSE(price.value) << text;
    EXPECT_NE(price.hint.find("2.99 USD/GPU-hour"), std::string::npos) << text;
  }
  for (const char* text : {"700", "700 watts", "1 MW", "200 kW"})
    EXPECT_FALSE(parse_power(text).value);
  for (const char* text : {"5", "0 steps", "-1 tokens", "1 step", "1e19 tokens"}) {
    EXPECT_FALSE(parse_run_length(text).value) << text;
  }
}

}  // namespace
}  // namespace heddle::io
