#include "sim/io/json_document.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::io {
namespace {

/// The only diagnostic that parsing `text` gives.
Diagnostic sole_problem(std::string_view text) {
  Diagnostics out;
  EXPECT_FALSE(JsonDocument::parse(text, "f.json", out).has_value()) << text;
  EXPECT_EQ(out.all().size(), 1U) << text;
  return out.all().empty() ? Diagnostic{} : out.all().front();
}

TEST(JsonDocument, EmptyTextSaysSo) {
  EXPECT_EQ(sole_problem("").code, "json-empty");
  EXPECT_EQ(sole_problem(" \n\t\n").code, "json-empty");
}

TEST(JsonDocument, TruncatedTextNamesTheLastLine) {
  const Diagnostic problem = sole_problem("{\n  \"a\": [1,\n  2");
  EXPECT_EQ(problem.code, "json-truncated");
  EXPECT_EQ(problem.line, 3);
  EXPECT_EQ(sole_problem("{\"a\": \"un").code, "json-truncated");
}

TEST(JsonDocument, DuplicateKeyNamesBothLines) {
  const Diagnostic problem = sole_problem("{\n \"a\": 1,\n \"b\": 2,\n \"a\": 3\n}");
  EXPECT_EQ(problem.code, "json-duplicate-key");
  EXPECT_EQ(problem.pointer, "/a");
  EXPECT_EQ(problem.line, 4);
  EXPECT_NE(problem.message.find("line 2"), std::string::npos);
}

TEST(JsonDocument, AllDuplicatesAreReportedAtOnce) {
  Diagnostics out;
  JsonDocument::parse(R"({"a":1,"a":2,"b":{"c":1,"c":2}})", "f.json", out);
  ASSERT_EQ(out.error_count(), 2);
  EXPECT_EQ(out.all()[1].pointer, "/b/c");
}

TEST(JsonDocument, SameKeyInSiblingObjectsIsFine) {
  Diagnostics out;
  EXPECT_TRUE(JsonDocument::parse(R"([{"a":1},{"a":1}])", "f.json", out).has_value());
}

TEST(JsonDocument, DepthOf64IsReadAnd65Refused) {
  Diagnostics out;
  const std::string ok = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(JsonDocument::parse(ok, "f.json", out).has_value());
  EXPECT_EQ(sole_problem(std::string(65, '[') + std::string(65, ']')).code, "json-depth");
  EXPECT_EQ(sole_problem(std::string(1'000'000, '[')).code, "json-depth");
}

TEST(JsonDocument, IntegersBeyond64BitsAreRefused) {
  EXPECT_EQ(sole_problem("[9223372036854775808]").code, "json-number");  // 2^63
  EXPECT_EQ(sole_problem("[99999999999999999999999]").code, "json-number");
  EXPECT_EQ(sole_problem("[-99999999999999999999999]").code, "json-number");
  EXPECT_EQ(sole_problem("[1e999]").code, "json-syntax");
}

TEST(JsonDocument, MessagesNameNoLibraryAndHaveAHint) {
  for (const char* text : {"[1e999]", "[1,,2]", "", "[99999999999999999999]", "[01]"}) {
    const Diagnostic problem = sole_problem(text);
    EXPECT_EQ(problem.message.find("exception"), std::string::npos) << problem.message;
    EXPECT_FALSE(problem.message.ends_with("; ")) << problem.message;
    EXPECT_FALSE(problem.hint.empty()) << text;
  }
}

TEST(JsonDocument, WhatIsNotJsonIsRefused) {
  for (const char* text : {"NaN", "[NaN]", "[Infinity]", "{} x", "{}{}", "[1,]", "{\"a\":1,}",
                           "// c\n{}", "[01]", "'a'", "[\"\x80\"]", "{a:1}"}) {
    EXPECT_EQ(sole_problem(text).code, "json-syntax") << text;
  }
}

TEST(JsonDocument, OversizedTextIsRefused) {
  EXPECT_EQ(sole_problem(std::string(kMaxJsonBytes + 1, ' ')).code, "json-too-large");
}

// The lexer reads one character beyond a number; a line break there belongs to the next line.
TEST(JsonDocument, LinesAreThoseOfTheValues) {
  Diagnostics out;
  const auto document =
      JsonDocument::parse("{\"a\":\n1\n,\n\"b\": [2\n,\n3], \"c\": \"x\"}", "f.json", out);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->root().line(), 1);
  EXPECT_EQ(document->root().member("a")->line(), 2);
  const auto items = document->root().member("b")->items(out);
  EXPECT_EQ(document->root().member("b")->line(), 4);
  EXPECT_EQ(items[0].line(), 4);
  EXPECT_EQ(items[1].line(), 6);
  EXPECT_EQ(document->root().member("c")->line(), 6);
}

TEST(JsonDocument, PointersAreEscaped) {
  Diagnostics out;
  const auto document = JsonDocument::parse(R"({"a/b":{"m~n":[0]}})", "f.json", out);
  const Value value = *document->root().member("a/b")->member("m~n");
  EXPECT_EQ(value.items(out)[0].pointer(), "/a~1b/m~0n/0");
}

}  // namespace
}  // namespace heddle::io
