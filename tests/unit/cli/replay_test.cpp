// heddle replay. The trace: 12 MiB, then 30, of which 30 is freed; 40 then needs a segment of its
// own: 52 MiB are the most allocated, 82 the most reserved. Recorded are 80.

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

constexpr const char* kTrace = R"({"format": "heddle.allocator-trace/1", "source": "by hand",
  "reserved_before": 83886080, "events": [
  ["alloc", 0, 12582912, 0, 0], ["alloc", 1, 31457280, 0, 1000], ["free", 1, 2000],
  ["alloc", 2, 41943040, 0, 3000], ["free", 0, 4000]]})";

class Replay : public Program {
 protected:
  Replay() { write("trace.json", kTrace); }
};

TEST_F(Replay, PrintsPeaksBlocksAndSegments) {
  const Outcome result = call({"replay", path("trace.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "3 allocations, 0 of them alive before");
  expect_text(result.out, "by hand");
  expect_text(result.out, "PyTorch's defaults");
  expect_text(result.out, "54.5 MB");  // 52 MiB
  expect_text(result.out, "86.0 MB");  // 82 MiB
  expect_text(result.out, "3.00 ms");
  expect_text(result.out, "recorded reserved: peak 83.9 MB");
  expect_text(result.out, "+2.5 %");  // 82 / 80
  expect_text(result.out, "largest of 2 alive");
}

TEST_F(Replay, WritesJson) {
  const Outcome result = call({"replay", path("trace.json"), "--format", "json", "--alloc-conf",
                               "expandable_segments:True", "--top", "1"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "\"schema\": \"heddle.replay/1\"");
  expect_text(result.out, "\"alloc_conf\": \"expandable_segments:True\"");
  expect_text(result.out, "\"capacity_bytes\": null");
  // 12 + 40 in pages of 20: three pages; before that 12 + 30 in three, too.
  expect_text(result.out, "\"reserved_bytes\": 62914560");
  expect_text(result.out, "\"allocation\": 2");
  EXPECT_EQ(result.out.find("\"allocation\": 0"), std::string::npos);
}

TEST_F(Replay, FailsOnlyIfAsked) {
  const Outcome full = call({"replay", path("trace.json"), "--capacity", "50MiB"});
  EXPECT_EQ(full.code, 0);
  expect_text(full.out, "out of memory at 3.00 ms (event 3): 41.9 MB requested");
  EXPECT_EQ(call({"replay", path("trace.json"), "--capacity", "50MiB", "--fail-on", "oom"}).code,
            7);
  EXPECT_EQ(call({"replay", path("trace.json"), "--capacity", "52MiB", "--fail-on", "oom"}).code, 0)
      << "12 + 40 once the cached 30 is released";
}

TEST_F(Replay, BadArgumentsAreUsage) {
  const Outcome conf = call({"replay", path("trace.json"), "--alloc-conf", "expandable:True,x"});
  EXPECT_EQ(conf.code, 2);
  expect_text(conf.err, "expandable_segments");
  expect_text(conf.err, "key:value");
  const Outcome capacity = call({"replay", path("trace.json"), "--capacity", "80"});
  EXPECT_EQ(capacity.code, 2);
  expect_text(capacity.err, "--capacity");
}

TEST_F(Replay, BadTracesAreBadInput) {
  write("bad.json", R"({"format": "heddle.allocator-trace/1", "events": [["free", 3, 0]]})");
  const Outcome result = call({"replay", path("bad.json")});
  EXPECT_EQ(result.code, 3);
  expect_text(result.err, "allocation 3 is not alive");
  EXPECT_EQ(call({"replay", path("trase.json")}).code, 3);
}

TEST_F(Replay, AnEmptyTraceIsNoMemory) {
  write("empty.json", R"({"format": "heddle.allocator-trace/1", "events": []})");
  const Outcome result = call({"replay", path("empty.json")});
  EXPECT_EQ(result.code, 0);
  expect_text(result.out, "no allocation");
}

}  // namespace
}  // namespace heddle::cli
