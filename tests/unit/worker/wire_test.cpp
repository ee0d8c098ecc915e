#include "validator/worker/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/worker/messages.h"

namespace heddle::worker {
namespace {

using ::testing::HasSubstr;

TEST(Wire, ReadsBackWhatItWrote) {
  WireWriter w;
  w.add(std::int64_t{-5}).add(true).add(std::string_view("a\0b", 3)).add(std::uint32_t{7});
  const std::string bytes = w.take();
  WireReader r(bytes);
  EXPECT_EQ(r.integer(), -5);
  EXPECT_TRUE(r.flag());
  EXPECT_EQ(r.text(), std::string("a\0b", 3));
  EXPECT_EQ(r.index(), 7U);
  EXPECT_TRUE(r.complete());
}

TEST(Wire, WhatIsCutOffIsNoMessage) {
  Hello hello{1, 2, 3, "host", {{"transport", "x"}}, {{"clock_mhz", "1980"}}};
  const Frame whole = encode(hello);
  EXPECT_TRUE(decode_hello(whole).has_value());
  for (std::size_t size = 0; size < whole.payload.size(); ++size) {
    EXPECT_FALSE(decode_hello({whole.type, whole.payload.substr(0, size)}).has_value()) << size;
  }
  EXPECT_FALSE(decode_hello({whole.type, whole.payload + "x"}).has_value());
  EXPECT_FALSE(decode_request(whole).has_value());
}

/// A count larger than what is there is refused before anything of that size is made.
TEST(Wire, DoesNotBelieveCounts) {
  WireWriter w;
  w.add(std::uint64_t{1} << 60);
  const std::string bytes = w.take();
  WireReader r(bytes);
  EXPECT_EQ(r.count(1), 0U);
  EXPECT_FALSE(r.good());
}

TEST(Wire, ReportsSurviveTheJourney) {
  Report report;
  report.repeat = 3;
  report.run.failure = device::Failure{device::FailureKind::kOutOfMemory, "1 B needed"};
  report.run.start_ns = 10;
  report.run.ops.push_back({4, schedule::StreamKind::kReduce, 11, 12});
  report.run.marks_ns = {9};
  report.run.memory.push_back({5, {}, {4096}, {8192}});
  report.run.peak_reserved = {16'384};
  report.run.memory[0].count.allocated[2] = {512};
  const auto read = decode_report(encode(report));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->repeat, 3);
  EXPECT_EQ(read->run.failure, report.run.failure);
  EXPECT_EQ(read->run.ops[0].stream, schedule::StreamKind::kReduce);
  EXPECT_EQ(read->run.ops[0].end_ns, 12);
  EXPECT_EQ(read->run.marks_ns, report.run.marks_ns);
  EXPECT_EQ(read->run.memory[0].count, report.run.memory[0].count);
  EXPECT_EQ(read->run.memory[0].resident, (Bytes{4096}));
  EXPECT_EQ(read->run.memory[0].reserved, (Bytes{8192}));
  EXPECT_EQ(read->run.peak_reserved, (Bytes{16'384}));
}

TEST(Frames, ComeOutOfPieces) {
  const std::string bytes = encode_frame({1, "one"}) + encode_frame({2, ""});
  FrameReader reader;
  std::vector<Frame> frames;
  for (const char c : bytes) {
    reader.feed(std::string_view(&c, 1));
    for (Frame frame; reader.next(frame);) frames.push_back(frame);
  }
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].payload, "one");
  EXPECT_EQ(frames[1].type, 2U);
  EXPECT_EQ(reader.problem(), "");
}

TEST(Frames, RefuseGarbageOtherVersionsAndFloods) {
  std::string other = encode_frame({1, "x"});
  other[4] = 9;
  std::string flood = encode_frame({1, "x"});
  flood[15] = '\x7f';
  Frame frame;
  for (const auto& [bytes, words] :
       {std::pair<std::string, std::string>{"this is no message", "no message"},
        {other, "version 9"},
        {flood, "a message of 2130706433 bytes"}}) {
    FrameReader reader;
    reader.feed(bytes);
    EXPECT_FALSE(reader.next(frame));
    EXPECT_THAT(reader.problem(), HasSubstr(words));
  }
}

}  // namespace
}  // namespace heddle::worker
