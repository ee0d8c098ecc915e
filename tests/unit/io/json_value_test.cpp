#include "sim/io/json_value.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sim/io/json_document.h"

namespace heddle::io {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

/// Parses `[text]` and keeps the document of its only item.
class JsonValue : public testing::Test {
 protected:
  Value item(const std::string& text) {
    document_ = JsonDocument::parse("[" + text + "]", "f.json", out_);
    return document_->root().items(out_).front();
  }
  std::string last_code() const { return out_.all().empty() ? "" : out_.all().back().code; }

  Diagnostics out_;
  std::optional<JsonDocument> document_;
};

TEST_F(JsonValue, IntegersNeverConvert) {
  EXPECT_EQ(item("3000000000").as_integer(0, kMax, out_), 3000000000);
  EXPECT_TRUE(out_.empty());
  for (const char* text : {"1.9", "1.0", "1e3", "true", "\"1\"", "null", "[]"}) {
    EXPECT_FALSE(item(text).as_integer(0, kMax, out_).has_value()) << text;
    EXPECT_EQ(last_code(), "wrong-type") << text;
  }
}

TEST_F(JsonValue, RangesAreInclusive) {
  EXPECT_EQ(item("1").as_integer(1, 8, out_), 1);
  EXPECT_EQ(item("8").as_integer(1, 8, out_), 8);
  EXPECT_FALSE(item("-1").as_integer(0, kMax, out_).has_value());
  EXPECT_EQ(out_.all().back().message, "must be at least 0, is -1");
  EXPECT_FALSE(item("9").as_integer(1, 8, out_).has_value());
  EXPECT_EQ(out_.all().back().message, "must be between 1 and 8, is 9");
}

TEST_F(JsonValue, HintsSayWhatToWrite) {
  item("0").as_integer(1, 1048576, out_);
  EXPECT_EQ(out_.all().back().hint, "give a whole number from 1 to 1048576");
  item("-1").as_number(0, 0.5, out_);
  EXPECT_EQ(out_.all().back().hint, "give a number from 0 to 0.5");
  item("\"1\"").as_integer(1, 8, out_);
  EXPECT_EQ(out_.all().back().hint, "write a whole number, without quotes");
  item("1.0").as_integer(1, 8, out_);
  EXPECT_EQ(out_.all().back().message, "must be an integer, is 1.0");
  item("\"-5 us\"").as_duration(out_);
  EXPECT_EQ(out_.all().back().hint, "durations are positive, e.g. \"5 us\"");
}

TEST_F(JsonValue, NumbersMayBeIntegers) {
  EXPECT_EQ(item("2").as_number(0, 10, out_), 2.0);
  EXPECT_EQ(item("0.5").as_number(0, 10, out_), 0.5);
  EXPECT_FALSE(item("-0.5").as_number(0, 10, out_).has_value());
  EXPECT_EQ(last_code(), "out-of-range");
}

TEST_F(JsonValue, QuantitiesNeedTheirUnit) {
  EXPECT_EQ(item("\"80 GB\"").as_bytes(out_), gigabytes(80));
  EXPECT_EQ(item("\"15 us\"").as_duration(out_), microseconds(15));
  EXPECT_TRUE(out_.empty());
  for (const char* text : {"80", "\"80\"", "\"80gb\"", "\"80 us\"", "\"-1 GB\"", "\"1e30 GB\""}) {
    EXPECT_FALSE(item(text).as_bytes(out_).has_value()) << text;
    EXPECT_EQ(last_code(), "bad-quantity") << text;
  }
  EXPECT_FALSE(item("true").as_bytes(out_).has_value());
  EXPECT_EQ(last_code(), "wrong-type");
}

TEST_F(JsonValue, ProblemsSayWhere) {
  item("\n\"x\"").as_bool(out_);
  const Diagnostic& problem = out_.all().back();
  EXPECT_EQ(problem.file, "f.json");
  EXPECT_EQ(problem.pointer, "/0");
  EXPECT_EQ(problem.line, 2);
  EXPECT_EQ(problem.message, "must be a boolean, is a string");
}

}  // namespace
}  // namespace heddle::io
