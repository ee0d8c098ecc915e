#include "validator/device/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "sim/schedule/schedule_builder.h"

namespace heddle::device {
namespace {

using schedule::CollectiveKind;
using schedule::DType;
using ::testing::HasSubstr;

struct alignas(64) Line {
  std::byte bytes[64]{};
};

/// One thread per rank of one communicator, each with its own Exchange.
void on_ranks(int ranks, const std::function<void(Exchange&, int)>& body) {
  const schedule::Schedule s = schedule::ScheduleBuilder(ranks).finish(1);
  std::vector<Line> lines(Exchange::region_bytes(s) / 64 + 1);
  const std::span<std::byte> region(lines.front().bytes, lines.size() * 64);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      Exchange exchange(region, s, rank, steady_clock());
      body(exchange, rank);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::optional<Failure> run_one(Exchange& exchange, const CollectiveView& view,
                               std::vector<std::byte>& output) {
  std::vector<std::byte> input(view.input_bytes());
  output.assign(view.output_bytes(), std::byte{0xff});
  fill_input(view, input);
  return exchange.run({view, input, output});
}

class ExchangeKinds : public testing::TestWithParam<std::tuple<CollectiveKind, DType, int>> {};

/// Sizes: no element left over, some left over, more than a piece of the region.
TEST_P(ExchangeKinds, GivesEveryMemberWhatItMustGet) {
  const auto [kind, dtype, ranks] = GetParam();
  on_ranks(ranks, [&, kind = kind, dtype = dtype, ranks = ranks](Exchange& exchange, int rank) {
    std::uint64_t number = 0;
    for (const std::int64_t bytes : {0, 240, 52, 300'000}) {
      const CollectiveView view{
          {kind, schedule::CommunicatorId{0}, {bytes}, dtype}, ranks, rank, number++};
      std::vector<std::byte> output;
      EXPECT_EQ(run_one(exchange, view, output), std::nullopt);
      EXPECT_EQ(wrong_output(view, output), std::nullopt) << bytes;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, ExchangeKinds,
                         testing::Combine(testing::ValuesIn(schedule::kCollectiveKinds),
                                          testing::Values(DType::kBFloat16, DType::kFloat32),
                                          testing::Values(1, 2, 3)));

TEST(Exchange, RefusesMembersThatDisagree) {
  on_ranks(2, [](Exchange& exchange, int rank) {
    const CollectiveView view{{CollectiveKind::kAllReduce,
                               schedule::CommunicatorId{0},
                               {rank == 0 ? 64 : 128},
                               DType::kFloat32},
                              2,
                              rank,
                              7};
    std::vector<std::byte> output;
    const auto failure = run_one(exchange, view, output);
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->kind, FailureKind::kMismatch);
    EXPECT_THAT(failure->text, HasSubstr("number 7: all_reduce of 64 bytes"));
    EXPECT_THAT(failure->text, HasSubstr("number 7: all_reduce of 128 bytes"));
  });
}

TEST(Exchange, LeavesACollectiveThatAPeerNeverJoins) {
  on_ranks(2, [](Exchange& exchange, int rank) {
    if (rank == 1) return exchange.abort();
    const CollectiveView view{
        {CollectiveKind::kBroadcast, schedule::CommunicatorId{0}, {64}, DType::kFloat32}, 2, 0, 0};
    std::vector<std::byte> output;
    EXPECT_EQ(run_one(exchange, view, output)->kind, FailureKind::kAborted);
  });
}

/// The checker itself: one flipped bit is found and placed, by hand for 2 ranks.
/// Element 3 of number 0: 7*3+1 = 22 of rank 0, 131+22 = 153 of rank 1; the sum is 175.
TEST(CollectiveLayout, FindsOneWrongBit) {
  const CollectiveView view{
      {CollectiveKind::kAllReduce, schedule::CommunicatorId{0}, {16}, DType::kBFloat16}, 2, 0, 0};
  std::vector<std::byte> output(view.output_bytes());
  on_ranks(2, [&](Exchange& exchange, int rank) {
    CollectiveView own = view;
    own.position = rank;
    std::vector<std::byte> mine;
    EXPECT_EQ(run_one(exchange, own, mine), std::nullopt);
    if (rank == 0) output = mine;
  });
  EXPECT_EQ(std::to_integer<int>(output[6]), 175);
  output[6] ^= std::byte{1};
  EXPECT_EQ(wrong_output(view, output),
            "1 of 8 elements differ; the first at 3: 175 expected, 174 got (0x00ae)");
}

}  // namespace
}  // namespace heddle::device
