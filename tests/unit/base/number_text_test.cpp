#include "sim/base/number_text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(NumberText, TheWholeTextIsTheNumber) {
  EXPECT_EQ(whole_number("0"), 0);
  EXPECT_EQ(whole_number("-007"), -7);
  EXPECT_EQ(whole_number("9223372036854775807"), 9223372036854775807);
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "9223372036854775808"}) {
    EXPECT_FALSE(whole_number(text)) << text;
  }
}

TEST(NumberText, AnIntIsWithinItsBounds) {
  EXPECT_EQ(whole_int("2147483647"), 2147483647);
  EXPECT_EQ(whole_int("-2147483648"), -2147483647 - 1);
  EXPECT_FALSE(whole_int("2147483648"));
  EXPECT_FALSE(whole_int("-2147483649"));
  EXPECT_EQ(whole_int("3", 3, 4), 3);
  EXPECT_EQ(whole_int("4", 3, 4), 4);
  EXPECT_FALSE(whole_int("2", 3, 4));
  EXPECT_FALSE(whole_int("5", 3, 4));
}

}  // namespace
}  // namespace heddle
