#include "sim/io/json_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string>

#include "sim/base/check.h"
#include "sim/io/json_document.h"

namespace heddle::io {
namespace {

template <typename T>
std::string alone(const T& value) {
  JsonWriter writer;
  std::string text = writer.value(value).take();
  text.pop_back();  // newline
  return text;
}

TEST(JsonWriter, IndentsAndKeepsTheOrder) {
  JsonWriter w;
  w.begin_object().field("z", 1).key("a").begin_array().value("x").value(true).end_array();
  w.key("none").begin_object().end_object().end_object();
  EXPECT_EQ(w.take(),
            "{\n  \"z\": 1,\n  \"a\": [\n    \"x\",\n    true\n  ],\n  \"none\": {}\n}\n");
}

TEST(JsonWriter, PutsOnOneLineWhatIsAskedFor) {
  JsonWriter w;
  w.begin_array();
  w.begin_object().inline_from_here();
  w.field("a", 1).key("b").begin_array().value(2).value(3).end_array().end_object();
  w.value(4).end_array();
  EXPECT_EQ(w.take(), "[\n  {\"a\": 1, \"b\": [2, 3]},\n  4\n]\n");
}

TEST(JsonWriter, EscapesText) {
  EXPECT_EQ(alone("a\"b\\c\n\x01/\xc3\xa9"), "\"a\\\"b\\\\c\\u000a\\u0001/\xc3\xa9\"");
}

TEST(JsonWriter, EscapedTextReadsBack) {
  std::string text = "\xe2\x82\xac";  // a euro sign
  for (char c = 0; c < 127; ++c) text += c;
  Diagnostics out;
  const auto document = JsonDocument::parse(alone(text), "f.json", out);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->root().as_string(out), text);
}

// The Unicode Standard's own examples, tables 3-8 to 3-11: non-shortest forms, surrogates, other
// ill-formed bytes, truncated characters. Behind each how many U+FFFD it has before the "A".
TEST(JsonWriter, WhatIsNotUtf8IsReplaced) {
  const std::string mark = "\xef\xbf\xbd";
  const auto marks = [&mark](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += mark;
    return text;
  };
  EXPECT_EQ(alone("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"), "\"" + marks(8) + "A\"");
  EXPECT_EQ(alone("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"), "\"" + marks(8) + "A\"");
  EXPECT_EQ(alone("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"),
            "\"" + marks(5) + "A" + marks(2) + "B\"");
  EXPECT_EQ(alone("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), "\"" + marks(4) + "A\"");
  EXPECT_EQ(alone("\xf0\x90\x80"), "\"" + mark + "\"");
}

TEST(JsonWriter, TheFirstAndLastCharactersOfEveryLengthAreKept) {
  for (const std::string text :
       {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(alone(text), "\"" + text + "\"");
  }
}

TEST(JsonWriter, IntegersAreExact) {
  EXPECT_EQ(alone(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(alone(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(JsonWriter, DoublesAreShortestAndReadBack) {
  EXPECT_EQ(alone(0.1), "0.1");
  for (const double number : {0.1 + 0.2, 1.0 / 3, 5e-324, 1.7976931348623157e308, 2e-05, 1e20}) {
    EXPECT_EQ(std::strtod(alone(number).c_str(), nullptr), number);
  }
}

TEST(JsonWriter, SlipsAreOurBug) {
  EXPECT_THROW(JsonWriter().value(std::numeric_limits<double>::infinity()), InternalError);
  EXPECT_THROW(JsonWriter().value(std::numeric_limits<double>::quiet_NaN()), InternalError);
  EXPECT_THROW(JsonWriter().key("k"), InternalError);
  EXPECT_THROW(JsonWriter().begin_array().end_object(), InternalError);
  EXPECT_THROW(JsonWriter().begin_object().take(), InternalError);
}

}  // namespace
}  // namespace heddle::io
