#include "sim/io/schedule_file.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostics.h"
#include "sim/base/stable_hash.h"
#include "sim/io/file.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::io {
namespace {

using schedule::StreamKind;

const ScheduleOrigin kOrigin{"a \"tiny\" one", "fast/ddp", "0123456789abcdef"};

schedule::Schedule small() {
  schedule::ScheduleBuilder b(3);
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  b.at(schedule::Phase::kBackward, 1);
  schedule::BufferId x = b.alloc(schedule::MemoryCategory::kGradients, {1000}, "grad\n\\");
  b.collective({schedule::CollectiveKind::kReduceScatter, b.world(), {1024}}, 1, "reduce",
               StreamKind::kReduce);
  b.wait(StreamKind::kCompute, b.record(StreamKind::kReduce));
  b.free_after(x, StreamKind::kReduce);
  b.host_work(2, "views");
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  return b.finish(1);
}

ScheduleFile read_good(const std::string& text) {
  Diagnostics out;
  auto file = read_schedule(text, "step.hsched", out);
  EXPECT_TRUE(file.has_value()) << (out.empty() ? "" : format(out.all().front()));
  return file ? std::move(*file) : ScheduleFile{};
}

TEST(ScheduleFile, IsWhatItsHeaderSays) {
  EXPECT_EQ(write_schedule(small(), kOrigin).substr(0, 18), "heddle.schedule/1\n");
  const std::string text = write_schedule(small(), kOrigin);
  const std::string body = text.substr(text.find("origin"));
  EXPECT_EQ(body,
            "origin \"a \\\"tiny\\\" one\" \"fast/ddp\" \"0123456789abcdef\"\n"
            "steps 1\nevents 1\nranks 0*3\ncommunicator \"world\" 0-2\n"
            "collective reduce_scatter 0 1024 bf16\n"
            "label init -1 \"mark\"\n"
            "label backward 1 \"grad\\x0a\\\\\"\n"
            "label backward 1 \"reduce\"\nlabel backward 1 \"record\"\nlabel backward 1 \"wait\"\n"
            "label backward 1 \"views\"\nlabel backward 1 \"mark\"\n"
            "buffer 1024 gradients compute 1 reduce\n"
            "mark step_begin 0\nmark step_end 0\nprogram\n"
            "mark compute 0 0 0\nalloc compute 0 0 1\ncollective reduce 0 1 2\n"
            "record reduce 0 0 3\nwait compute 0 0 4\nfree compute 0 0 1\n"
            "host_work compute - 2 5\nmark compute 1 0 6\nend\n");
  EXPECT_EQ(text.substr(18, 22), "hash " + StableHash().add(body).hex() + "\n");
}

TEST(ScheduleFile, ReadsBackWhatItWrote) {
  const std::string text = write_schedule(small(), kOrigin);
  const ScheduleFile file = read_good(text);
  EXPECT_TRUE(file.sealed);
  EXPECT_EQ(file.origin, kOrigin);
  EXPECT_EQ(file.hash, text.substr(23, 16));
  EXPECT_EQ(file.schedule.labels[1].name, "grad\n\\");
  EXPECT_EQ(write_schedule(file.schedule, file.origin), text);
}

TEST(ScheduleFile, RunsAnEditedFileOnlyWithoutItsSeal) {
  std::string text = write_schedule(small(), kOrigin);
  const std::size_t size = text.find("buffer 1024") + 7;
  text.replace(size, 4, "2048");
  Diagnostics out;
  EXPECT_FALSE(read_schedule(text, "step.hsched", out).has_value());
  ASSERT_EQ(out.error_count(), 1);
  EXPECT_EQ(out.all()[0].code, "bad-hash");
  text.replace(23, 16, "none");
  const ScheduleFile file = read_good(text);
  EXPECT_FALSE(file.sealed);
  EXPECT_EQ(file.schedule.buffers[0].bytes, (Bytes{2048}));
  EXPECT_NE(file.hash, "none");
}

TEST(ScheduleFile, KeepsWhatTheSmallExampleHolds) {
  const ScheduleFile file =
      read_good(read_file(HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/schedule/small.hsched"));
  ASSERT_EQ(file.schedule.kernels.size(), 2U);
  EXPECT_EQ(file.schedule.kernels[0].k, 16);
  EXPECT_TRUE(file.schedule.kernels[1].backward);
  EXPECT_FALSE(file.schedule.kernels[1].causal);
  EXPECT_EQ(file.schedule.program_of_rank, (std::vector<int>{0, 0}));
  EXPECT_EQ(file.schedule.buffers[0].used_by, 1U << static_cast<unsigned>(StreamKind::kReduce));
}

}  // namespace
}  // namespace heddle::io
