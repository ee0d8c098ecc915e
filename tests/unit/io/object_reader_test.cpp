#include "sim/io/object_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/io/json_document.h"

namespace heddle::io {
namespace {

JsonDocument parsed(std::string_view text) {
  Diagnostics out;
  return JsonDocument::parse(text, "f.json", out).value();
}

TEST(ObjectReader, TakesFieldsAndReportsTheRest) {
  const JsonDocument document = parsed("{\"steps\": 2,\n \"sed\": 1, \"extra\": null}");
  Diagnostics out;
  ObjectReader reader(document.root(), out);
  EXPECT_TRUE(reader.optional("steps").has_value());
  EXPECT_FALSE(reader.optional("seed").has_value());
  EXPECT_EQ(reader.unused(), (std::vector<std::string>{"sed", "extra"}));
  reader.finish();
  ASSERT_EQ(out.error_count(), 2);
  EXPECT_EQ(out.all()[0].code, "unknown-key");
  EXPECT_EQ(out.all()[0].pointer, "/sed");
  EXPECT_EQ(out.all()[0].line, 2);
  EXPECT_NE(out.all()[0].hint.find("\"seed\""), std::string::npos);
}

TEST(ObjectReader, MissingKeyIsReportedAtTheObject) {
  const JsonDocument document = parsed("\n{}");
  Diagnostics out;
  ObjectReader reader(document.root(), out);
  EXPECT_FALSE(reader.required("steps").has_value());
  ASSERT_EQ(out.error_count(), 1);
  EXPECT_EQ(out.all()[0].code, "missing-key");
  EXPECT_EQ(out.all()[0].line, 2);
}

TEST(ObjectReader, WhatIsNoObjectIsOneProblemOnly) {
  const JsonDocument document = parsed("[1]");
  Diagnostics out;
  ObjectReader reader(document.root(), out);
  EXPECT_FALSE(reader.required("steps").has_value());
  reader.finish();
  ASSERT_EQ(out.error_count(), 1);
  EXPECT_EQ(out.all()[0].code, "wrong-type");
}

TEST(ObjectReader, NullCountsAsPresent) {
  const JsonDocument document = parsed(R"({"steps": null})");
  Diagnostics out;
  ObjectReader reader(document.root(), out);
  EXPECT_TRUE(reader.required("steps")->is_null());
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace heddle::io
