#include "sim/io/json_template.h"

#include <gtest/gtest.h>

#include "sim/io/json_document.h"
#include "sim/io/json_text.h"

namespace heddle::io {
namespace {

const TemplateValues kValues{{"hidden", "4096"}, {"name", "\"mpt\""}, {"nics", "null"}};

std::string filled(std::string_view text) {
  const FilledTemplate result = fill_template(text, kValues);
  EXPECT_TRUE(result.unknown.empty());
  return result.text;
}

TEST(JsonTemplate, FillsWholeValuesAndTexts) {
  EXPECT_EQ(filled(R"({"a": "$hidden", "b": ["$name", "$nics"]})"),
            "{\n  \"a\": 4096,\n  \"b\": [\n    \"mpt\",\n    null\n  ]\n}\n");
  EXPECT_EQ(filled(R"({"a": "x-${hidden}-${name}."})"), "{\n  \"a\": \"x-4096-mpt.\"\n}\n");
  EXPECT_EQ(filled(R"({"a": "no $name, ${open"})"), "{\n  \"a\": \"no $name, ${open\"\n}\n");
}

TEST(JsonTemplate, NamesWhatHasNoValue) {
  EXPECT_EQ(fill_template(R"({"a": "$layers"})", kValues).unknown,
            std::vector<std::string>{"layers"});
  EXPECT_EQ(fill_template(R"({"a": "x${nics}"})", kValues).unknown,
            std::vector<std::string>{"nics"});
}

// RFC 7386: null removes, objects merge, everything else replaces.
TEST(JsonTemplate, MergesAsRfc7386) {
  EXPECT_EQ(merge_patch("", R"({"a": 1})"), R"({"a":1})");
  EXPECT_EQ(merge_patch(R"({"a": {"b": 1, "c": 2}, "d": [1]})",
                        R"({"a": {"b": null, "e": 3}, "d": [2, 3]})"),
            R"({"a":{"c":2,"e":3},"d":[2,3]})");
}

TEST(JsonTemplate, TextOfAValueReadsBack) {
  const std::string text = R"({"a": [1, -2.5, true, null, "x\"y"], "b": {}})";
  Diagnostics out;
  const auto document = JsonDocument::parse(text, "f.json", out);
  ASSERT_TRUE(document);
  EXPECT_EQ(merge_patch("", json_text(document->root())), merge_patch("", text));
}

}  // namespace
}  // namespace heddle::io
