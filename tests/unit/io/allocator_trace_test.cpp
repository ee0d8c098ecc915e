// heddle.allocator-trace/1.

#include "sim/io/allocator_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heddle::io {
namespace {

using allocator::TraceEvent;
using Kind = TraceEvent::Kind;
using ::testing::HasSubstr;

std::string with_events(const std::string& events) {
  return R"({"format": "heddle.allocator-trace/1", "events": [)" + events + "]}";
}

/// "code pointer" of every problem.
std::vector<std::string> faults(const std::string& text) {
  Diagnostics found;
  EXPECT_FALSE(read_allocator_trace(text, "t.json", found));
  std::vector<std::string> out;
  for (const Diagnostic& d : found.all()) out.push_back(d.code + " " + d.pointer);
  return out;
}

TEST(AllocatorTrace, ReadsEveryEvent) {
  Diagnostics found;
  const auto trace = read_allocator_trace(
      R"({"format": "heddle.allocator-trace/1", "source": "by hand", "initial_allocations": 1,
          "reserved_before": 2097152,
          "events": [["alloc", 7, 100, 94000, 0], ["segment_alloc", 500, 3],
                     ["free", 7, 4, [12, 9], [94000, 5]], ["alloc", 7, 200, 12, 4],
                     ["segment_free", 500, 6]]})",
      "t.json", found);
  ASSERT_TRUE(trace) << format(found.all().front());
  EXPECT_EQ(trace->source, "by hand");
  EXPECT_EQ(trace->allocations, 2U);
  EXPECT_EQ(trace->initial_allocations, 1U);
  EXPECT_EQ(trace->reserved_before, mebibytes(2));
  ASSERT_EQ(trace->events.size(), 7U);
  EXPECT_EQ(trace->events[0].stream, 0) << "streams are numbered as they appear";
  EXPECT_EQ(trace->events[1].kind, Kind::kSegmentAlloc);
  EXPECT_EQ(trace->events[2].kind, Kind::kUse);
  EXPECT_EQ(trace->events[2].stream, 1);
  EXPECT_EQ(trace->events[2].time, SimTime{} + microseconds(9));
  EXPECT_EQ(trace->events[4].kind, Kind::kFree);
  EXPECT_EQ(trace->events[4].id, 0U);
  EXPECT_EQ(trace->events[5].id, 1U) << "an id that is used again is another allocation";
  EXPECT_EQ(trace->events[5].bytes, Bytes{200});
}

TEST(AllocatorTrace, ReportsAllFaultsAtOnce) {
  EXPECT_THAT(faults(with_events(R"(["alloc", 1, 0, 0, 0], ["alloc", 1, 8, 0, 5],
                                    ["alloc", 1, 8, 0, 6], ["free", 2, 7], ["free", 1, 3],
                                    ["alocate", 1], ["alloc", 3], [], 5, ["free", 1, 9, [0]])"
                                 R"(, ["segment_alloc", -1, 9])")),
              ::testing::ElementsAre("out-of-range /events/0/2", "duplicate-id /events/2/1",
                                     "unknown-id /events/3/1", "out-of-order /events/4/2",
                                     "unknown-event /events/5/0", "wrong-length /events/6",
                                     "wrong-length /events/7", "wrong-type /events/8",
                                     "wrong-length /events/9/3", "out-of-range /events/10/1"));
}

TEST(AllocatorTrace, RefusesOtherFilesAndKeys) {
  EXPECT_THAT(faults(R"({"format": "heddle.scenario/1", "events": []})"),
              ::testing::ElementsAre("unknown-format /format"));
  EXPECT_THAT(faults(R"({"format": "heddle.allocator-trace/1", "event": []})"),
              ::testing::UnorderedElementsAre(HasSubstr("missing-key"), HasSubstr("unknown-key")));
  EXPECT_THAT(faults(R"({"format": "heddle.allocator-trace/1", "events": [],
                         "initial_allocations": 1})"),
              ::testing::ElementsAre("out-of-range /initial_allocations"));
  EXPECT_THAT(faults("{"), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace heddle::io
