#include "sim/engine/program_index.h"

#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::ScheduleBuilder;
using schedule::StreamKind;

TEST(ProgramIndex, ListsEachStreamsOpsAndNumbersCollectives) {
  ScheduleBuilder b(2);
  b.host_work(1, "python");                                     // op 0
  b.collective(all_reduce_of(1), 1, "a", StreamKind::kGather);  // 1
  b.compute(kernel_of(1), 1, "k");                              // 2
  b.collective(all_reduce_of(2), 1, "b", StreamKind::kReduce);  // 3
  b.wait(StreamKind::kCompute, b.record(StreamKind::kReduce));  // 4, 5
  const schedule::Schedule s = b.finish(0);
  const ProgramIndex index = index_program(s, s.programs[0]);
  const auto& compute = index.streams[static_cast<std::size_t>(StreamKind::kCompute)];
  const auto& gather = index.streams[static_cast<std::size_t>(StreamKind::kGather)];
  const auto& reduce = index.streams[static_cast<std::size_t>(StreamKind::kReduce)];
  ASSERT_EQ(compute.size(), 2U);
  EXPECT_EQ(compute[1].op, 5U);
  ASSERT_EQ(gather.size(), 1U);
  EXPECT_EQ(gather[0].sequence, 0U);
  ASSERT_EQ(reduce.size(), 2U);
  EXPECT_EQ(reduce[0].sequence, 1U);
  EXPECT_EQ(index.collective_count.at(0), 2U);
}

schedule::Schedule two_programs() {
  schedule::Schedule s;
  s.programs.resize(2);
  s.program_of_rank = {1, 0, 1, 0, 0};
  s.communicators = {{"all", {0, 1, 2, 3, 4}}, {"zeros", {1, 3, 4}}};
  return s;
}

TEST(RankClasses, FoldRanksOfOneProgram) {
  const schedule::Schedule s = two_programs();
  const Folding folding = fold_ranks(s, {}, true);
  const auto& classes = folding.classes;
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].program, 1);
  EXPECT_EQ(classes[0].multiplicity, 2);
  EXPECT_EQ(classes[1].first_rank, 1);
  EXPECT_EQ(classes[1].multiplicity, 3);
  const auto members = classes_by_communicator(s, folding);
  EXPECT_EQ(members[0], (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(members[1], (std::vector<std::uint32_t>{1}));
}

TEST(RankClasses, AreRanksWhenNotFolded) {
  const schedule::Schedule s = two_programs();
  const Folding folding = fold_ranks(s, {}, false);
  ASSERT_EQ(folding.classes.size(), 5U);
  EXPECT_EQ(classes_by_communicator(s, folding)[1], (std::vector<std::uint32_t>{1, 3, 4}));
}

// Rank 3 is slow: of the program of ranks 1, 3 and 4 it is a class of its own.
TEST(RankClasses, SplitBySpeed) {
  const schedule::Schedule s = two_programs();
  constexpr std::int64_t kHalf = kPpb / 2;
  const std::vector<std::int64_t> speeds{kPpb, kPpb, kPpb, kHalf, kPpb};
  const Folding folding = fold_ranks(s, speeds, true);
  ASSERT_EQ(folding.classes.size(), 3U);
  EXPECT_EQ(folding.classes[1].multiplicity, 2);
  EXPECT_EQ(folding.classes[2].first_rank, 3);
  EXPECT_EQ(folding.classes[2].speed_ppb, kHalf);
  EXPECT_EQ(folding.class_of_rank, (std::vector<std::uint32_t>{0, 1, 0, 2, 1}));
  EXPECT_EQ(classes_by_communicator(s, folding)[1], (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace heddle::engine
