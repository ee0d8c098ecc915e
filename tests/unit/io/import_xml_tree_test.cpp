#include "sim/io/import/xml_tree.h"

#include <gtest/gtest.h>

namespace heddle::io {
namespace {

std::optional<XmlElement> parse(const std::string& text, Diagnostics& out) {
  return parse_xml(text, "a", "in.xml", out);
}

void expect_refused(const std::string& text, const std::string& code, int line) {
  Diagnostics out;
  EXPECT_FALSE(parse(text, out).has_value());
  ASSERT_EQ(out.all().size(), 1U);
  EXPECT_EQ(out.all().front().code, code);
  EXPECT_EQ(out.all().front().line, line);
  EXPECT_FALSE(out.all().front().hint.empty());
}

TEST(XmlTree, KeepsNamesAttributesTextAndLines) {
  Diagnostics out;
  const auto root = parse(
      "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- c -->\n<a x='1'>\n<b y='2'>t</b><b/></a>", out);
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->line, 3);
  EXPECT_EQ(root->value("x"), "1");
  EXPECT_EQ(root->attribute("z"), nullptr);
  ASSERT_EQ(root->children.size(), 2U);
  EXPECT_EQ(root->child("b")->line, 4);
  EXPECT_EQ(root->child("b")->text, "t");
}

TEST(XmlTree, RefusesWhatIsNotWellFormed) {
  expect_refused("<ab/>", "xml-no-root", 0);
  expect_refused("<a>\n<b>\n</a>", "xml-syntax", 3);
  expect_refused("<a>\n<b x=1/></a>", "xml-syntax", 2);
  expect_refused("<a>\n<b>", "xml-syntax", 2);
}

TEST(XmlTree, LimitsDepthAndLength) {
  std::string deep = "<a>\n";
  for (int i = 0; i < 200'000; ++i) deep += "<a>\n";
  expect_refused(deep, "xml-syntax", 200'001);
  std::string closed = "<a>\n";
  for (int i = 0; i < kMaxXmlDepth; ++i) closed += "<b>\n";
  for (int i = 0; i < kMaxXmlDepth; ++i) closed += "</b>";
  expect_refused(closed + "</a>", "xml-too-deep", kMaxXmlDepth + 1);
  expect_refused("<a>" + std::string(kMaxXmlBytes, ' ') + "</a>", "xml-too-long", 0);
}

TEST(XmlTree, ExpandsNoEntityOfItsOwn) {
  Diagnostics out;
  const auto root = parse("<!DOCTYPE a [<!ENTITY b \"bbbb\">]>\n<a x='&b;&b;'>&b;&amp;</a>", out);
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->value("x"), "&b;&b;");
  EXPECT_EQ(root->text, "&b;&");
}

}  // namespace
}  // namespace heddle::io
