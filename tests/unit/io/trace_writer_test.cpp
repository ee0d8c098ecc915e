#include "sim/io/trace_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/io/json_document.h"
#include "tests/support/collective_machines.h"
#include "tests/unit/io/results.h"

namespace heddle::io {
namespace {

class Trace : public testing::Test {
 protected:
  void SetUp() override {
    run::CaseResult result = small_result();
    const auto first_link = fabric_.out_links(fabric_.gpus()[0]).front();
    result.run.links = {{{1'500'000}, first_link, {25'500'000'000}}};
    link_ = fabric_.link_name(first_link);
    text_ = write_trace(fabric_, result);
    document_ = JsonDocument::parse(text_, "t.json", out_);
    ASSERT_TRUE(document_.has_value()) << text_;
  }

  /// Events of one kind: "X" slices, "C" counters, "M" names.
  std::vector<Value> events(const std::string& phase) {
    std::vector<Value> found;
    for (const Value& e : document_->root().member("traceEvents")->items(out_)) {
      if (e.member("ph")->as_string(out_) == phase) found.push_back(e);
    }
    return found;
  }
  std::string text(const Value& event, const char* key) {
    return event.member(key)->as_string(out_).value();
  }
  double number(const Value& event, const char* key) {
    return event.member(key)->as_number(0, 1e9, out_).value();
  }

  const fabric::Fabric fabric_ = test::bridged_quads(test::h200_nvl());
  Diagnostics out_;
  std::string link_;
  std::string text_;
  std::optional<JsonDocument> document_;
};

TEST_F(Trace, OneSlicePerOpOnItsStreamsTrack) {
  const auto slices = events("X");
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(text(slices[0], "name"), "q_proj [layer 3]");
  EXPECT_EQ(text(slices[0], "cat"), "forward");
  EXPECT_EQ(text(slices[1], "name"), "a\"b");
  EXPECT_EQ(number(slices[0], "pid"), number(slices[1], "pid"));
  EXPECT_NE(number(slices[0], "tid"), number(slices[1], "tid"));
}

// 1'500'000 ps are 1.5 us, to 2'500'001 ps are 1.000001 us more.
TEST_F(Trace, TimesKeepPicoseconds) {
  EXPECT_NE(text_.find("\"ts\":1.500000,\"dur\":1.000001}"), std::string::npos) << text_;
  EXPECT_NE(text_.find("\"ts\":2.500001,\"dur\":0.000001}"), std::string::npos) << text_;
}

TEST_F(Trace, CountersShowMemoryAndLinkLoad) {
  const auto counters = events("C");
  ASSERT_EQ(counters.size(), 3U);  // two memory samples, one link sample
  EXPECT_EQ(number(*counters[1].member("args"), "parameters"), 1);
  EXPECT_EQ(number(*counters[1].member("args"), "temporary"), 2);
  EXPECT_EQ(text(counters[2], "name"), link_);
  EXPECT_EQ(number(*counters[2].member("args"), "GB/s"), 25.5);
  EXPECT_NE(number(counters[2], "pid"), number(counters[1], "pid"));
}

TEST_F(Trace, TracksHaveNames) {
  std::vector<std::string> names;
  for (const Value& e : events("M")) names.push_back(text(*e.member("args"), "name"));
  EXPECT_EQ(names,  // of the streams that ran something
            (std::vector<std::string>{"fast/ddp: 2 equal ranks", "compute stream", "reduce stream",
                                      "links (payload GB/s per direction)"}));
}

}  // namespace
}  // namespace heddle::io
