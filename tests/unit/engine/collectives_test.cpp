#include <gtest/gtest.h>

#include "sim/base/check.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::Op;
using schedule::OpKind;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

/// A second program, of its own rank, joining every communicator.
void add_program(schedule::Schedule& s, std::vector<Op> ops) {
  const int rank = s.rank_count();
  s.program_of_rank.push_back(static_cast<int>(s.programs.size()));
  s.programs.push_back({std::move(ops)});
  for (schedule::Communicator& c : s.communicators) c.groups.front().push_back(rank);
}

Op collective_op(std::uint32_t id) {
  return {OpKind::kCollective, StreamKind::kReduce, 0, id, {}};
}

// Issued at 1+4, arrives at 8, latency 2, 5000 bytes at 1 GB/s: 8 + 2 + 5.
TEST(Collectives, LoneOneTakesLatencyPlusTransfer) {
  ScheduleBuilder b(2);
  b.collective(all_reduce_of(5000), 1, "ar", StreamKind::kReduce);
  const RunResult result = SmallRun(b.finish(0)).run();
  ASSERT_EQ(result.ranks.size(), 1U);
  EXPECT_EQ(result.ranks[0].multiplicity, 2);
  EXPECT_EQ(interval_of(result.ranks[0], 0).start, at_us(8));
  EXPECT_EQ(interval_of(result.ranks[0], 0).end, at_us(15));
  ASSERT_EQ(result.links.size(), 2U);  // 1 GB/s from 10 to 15
  EXPECT_EQ(result.links[0].time, at_us(10));
  EXPECT_EQ(result.links[0].load, Bandwidth{1'000'000'000});
  EXPECT_EQ(result.links[1].time, at_us(15));
  EXPECT_EQ(result.links[1].load, Bandwidth{0});
}

// The second rank computes 4..54 before (host 1 + 4 = 5): both end at 54 + 2 + 5.
TEST(Collectives, StartsWhenTheLastRankArrives) {
  ScheduleBuilder b(1);
  b.collective(all_reduce_of(5000), 0, "ar", StreamKind::kReduce);
  schedule::Schedule s = b.finish(0);
  s.kernels.push_back(kernel_of(50));
  add_program(s, {{OpKind::kCompute, StreamKind::kReduce, 1, 0, {}}, collective_op(0)});
  const RunResult result = SmallRun(s).run();
  EXPECT_EQ(interval_of(result.ranks.at(0), 0).start, at_us(7));  // there, but alone
  EXPECT_EQ(interval_of(result.ranks.at(0), 0).end, at_us(61));
  EXPECT_EQ(interval_of(result.ranks.at(1), 1).end, at_us(61));
}

// On two streams but one communicator: the second, there at 11, starts when the first ends at 14
// (7 + 2 + 5) and takes 2 + 3.
TEST(Collectives, OneCommunicatorRunsInOrder) {
  using Streams = std::pair<StreamKind, StreamKind>;
  for (const auto& [first, second] : {Streams{StreamKind::kReduce, StreamKind::kGather},
                                      Streams{StreamKind::kGather, StreamKind::kReduce}}) {
    ScheduleBuilder b(2);
    b.collective(all_reduce_of(5000), 0, "a", first);
    b.collective(all_reduce_of(3000), 0, "b", second);
    const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
    EXPECT_EQ(interval_of(rank, 0).end, at_us(14));
    EXPECT_EQ(interval_of(rank, 1).start, at_us(14));
    EXPECT_EQ(interval_of(rank, 1).end, at_us(19));
  }
}

// Transfers of 9 kB and 3 kB start at 9 and 13. Alone until 13 the first moves 4 kB; then each has
// half a link: the second ends at 19, when the first has 2 kB left and is done at 21. With links
// of their own they take 9..18 and 13..16.
TEST(Collectives, TwoCommunicatorsShareALink) {
  ScheduleBuilder b(2);
  b.collective(all_reduce_of(9000, 0), 0, "a", StreamKind::kReduce);
  b.collective(all_reduce_of(3000, 1), 0, "b", StreamKind::kGather);
  schedule::Schedule s = b.finish(0);
  s.communicators.resize(1);
  s.communicators.push_back({"second", {{0, 1}}});
  SmallRun run(s);
  RankResult rank = run.run().ranks.at(0);
  EXPECT_EQ(interval_of(rank, 0).end, at_us(21));
  EXPECT_EQ(interval_of(rank, 1).end, at_us(19));
  run.link_of_communicator = {0, 1};
  rank = run.run().ranks.at(0);
  EXPECT_EQ(interval_of(rank, 0).end, at_us(18));
  EXPECT_EQ(interval_of(rank, 1).end, at_us(16));
}

TEST(Collectives, OfOneRankOrNoBytesTakeNoTime) {
  for (const int ranks : {1, 2}) {
    ScheduleBuilder b(ranks);
    b.collective(all_reduce_of(ranks == 1 ? 5000 : 0), 0, "ar", StreamKind::kReduce);
    const RunResult result = SmallRun(b.finish(0)).run();
    EXPECT_EQ(interval_of(result.ranks.at(0), 0).start, at_us(7));
    EXPECT_EQ(interval_of(result.ranks.at(0), 0).end, at_us(7));
    EXPECT_EQ(result.link_bytes.at(0), Bytes{0});
  }
}

TEST(Collectives, DeadlockNamesRankAndOp) {
  ScheduleBuilder b(1);
  b.collective(all_reduce_of(5000), 0, "lonely", StreamKind::kReduce);
  schedule::Schedule s = b.finish(0);
  add_program(s, {});
  try {
    SmallRun(s).run();
    FAIL() << "a collective without its partner ended";
  } catch (const InternalError& e) {
    const std::string message = e.what();
    EXPECT_NE(message.find("rank 0 waits for ever (reduce stream) at op 0"), std::string::npos)
        << message;
    EXPECT_NE(message.find("lonely"), std::string::npos);
  }
}

TEST(Collectives, RefusesRanksThatDisagree) {
  ScheduleBuilder b(1);
  b.collective(all_reduce_of(5000), 0, "a", StreamKind::kReduce);
  schedule::Schedule s = b.finish(0);
  s.collectives.push_back(all_reduce_of(6000));
  add_program(s, {collective_op(1)});
  EXPECT_THROW(SmallRun(s).run(), InternalError);
}

}  // namespace
}  // namespace heddle::engine
