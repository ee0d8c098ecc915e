#include "validator/device/host_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::device {
namespace {

using schedule::Buffer;
using schedule::BufferId;
using schedule::MemoryCategory;

Buffer buffer(std::int64_t bytes, MemoryCategory category) {
  return {{bytes}, category, schedule::StreamKind::kCompute, schedule::LabelId{0}, 0};
}

TEST(HostMemory, CountsByCategory) {
  HostMemory memory(mebibytes(1));
  EXPECT_EQ(memory.allocate(BufferId{0}, buffer(512, MemoryCategory::kGradients)), std::nullopt);
  EXPECT_EQ(memory.allocate(BufferId{1}, buffer(1024, MemoryCategory::kOptimizer)), std::nullopt);
  memory.free(BufferId{0});
  MemoryCount expected;
  expected.allocated[static_cast<std::size_t>(MemoryCategory::kOptimizer)] = {1024};
  EXPECT_EQ(memory.count(), expected);
  EXPECT_EQ(memory.count().total(), (Bytes{1024}));
}

TEST(HostMemory, SaysWhatIsNeededAndFree) {
  HostMemory memory(mebibytes(1));
  const auto failure = memory.allocate(BufferId{0}, buffer(2 << 20, MemoryCategory::kTemporary));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, FailureKind::kOutOfMemory);
  EXPECT_THAT(failure->text, ::testing::HasSubstr("needed"));
  EXPECT_EQ(memory.allocate(BufferId{0}, buffer(512, MemoryCategory::kTemporary)), std::nullopt);
}

TEST(HostMemory, ResidentSetFollowsWhatIsReturned) {
  HostMemory memory(gibibytes(1));
  memory.reset(true);
  const Bytes before = resident_set();
  ASSERT_GT(before.value, 0);
  memory.allocate(BufferId{0}, buffer(64 << 20, MemoryCategory::kTemporary));
  const Bytes with = resident_set();
  memory.free(BufferId{0});
  const Bytes after = resident_set();
  EXPECT_NEAR(static_cast<double>((with - before).value), 64 << 20, 2 << 20);
  EXPECT_NEAR(static_cast<double>((after - before).value), 0, 2 << 20);
}

TEST(HostMemory, KeepsBlocksOfTheSameSize) {
  HostMemory memory(gibibytes(1));
  memory.allocate(BufferId{0}, buffer(8192, MemoryCategory::kTemporary));
  memory.free(BufferId{0});
  EXPECT_EQ(memory.mapped(), (Bytes{8192}));
  memory.allocate(BufferId{1}, buffer(8192, MemoryCategory::kGradients));
  EXPECT_EQ(memory.mapped(), (Bytes{8192}));
  memory.reset(false);
  EXPECT_EQ(memory.mapped(), Bytes{});
}

}  // namespace
}  // namespace heddle::device
