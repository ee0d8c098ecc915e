#include "sim/base/date_text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(DateText, IsAMonthOrADay) {
  EXPECT_TRUE(is_date("2024-11"));
  EXPECT_TRUE(is_date("2024-11-18"));
  EXPECT_TRUE(is_full_date("2024-11-18"));
  EXPECT_FALSE(is_full_date("2024-11"));
  for (const char* text : {"", "today", "2024", "2024-1-18", "2026--1-29", "2024-11-181",
                           "2024/11/18", "20a4-11-18"}) {
    EXPECT_FALSE(is_date(text)) << text;
    EXPECT_FALSE(is_full_date(text)) << text;
  }
}

}  // namespace
}  // namespace heddle
