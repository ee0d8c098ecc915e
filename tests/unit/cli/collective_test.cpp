#include "sim/cli/sweep.h"
#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using schedule::CollectiveKind;

std::vector<std::int64_t> sizes(const SweepRange& range) {
  const auto fabric = test::nvswitch_node(test::h200_sxm());
  const auto model = test::model_of(fabric, test::first_gpus(2));
  std::vector<std::int64_t> found;
  for (const SweepPoint& p : sweep(model, CollectiveKind::kAllReduce, range)) {
    found.push_back(p.bytes.value);
  }
  return found;
}

TEST(Sweep, MultipliesFromMinAndNeverPassesMax) {
  EXPECT_EQ(sizes({Bytes{8}, Bytes{64}, 2}), (std::vector<std::int64_t>{8, 16, 32, 64}));
  EXPECT_EQ(sizes({Bytes{10}, Bytes{99}, 3}), (std::vector<std::int64_t>{10, 30, 90}));
  EXPECT_EQ(sizes({Bytes{5}, Bytes{5}, 2}), (std::vector<std::int64_t>{5}));
}

TEST(Sweep, BusBandwidthFollowsNcclTests) {
  // All-reduce over 4 ranks: busbw = algbw * 2 * 3 / 4, algbw = bytes / time.
  const auto fabric = test::nvswitch_node(test::h200_sxm());
  const auto model = test::model_of(fabric, test::first_gpus(4));
  const SweepPoint p = sweep_point(model, CollectiveKind::kAllReduce, gibibytes(1));
  EXPECT_DOUBLE_EQ(p.algbw_gb, 1.073741824 / p.cost.total.seconds());
  EXPECT_DOUBLE_EQ(p.busbw_gb, 1.5 * p.algbw_gb);
}

using CollectiveVerb = Program;

TEST_F(CollectiveVerb, PrintsASweep) {
  const Outcome result =
      call({"collective", "switched", "--gpus", "0,1", "--min", "1 MiB", "--max", "4 MiB"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "all_reduce on machine, H200, GPUs 0,1\n");
  expect_text(result.out, "busbw");
  for (const char* size : {"1048576", "2097152", "4194304"}) expect_text(result.out, size);
}

TEST_F(CollectiveVerb, TakesRangesAndAll) {
  for (const char* list : {"0-7", "all", "0:0-7", "0-3,4,5,6-7"}) {
    const Outcome result =
        call({"collective", "switched", "--gpus", list, "--min", "1MiB", "--max", "1MiB"});
    ASSERT_EQ(result.code, 0) << result.err;
    expect_text(result.out, "GPUs 0,1,2,3,4,5,6,7\n");
  }
}

TEST_F(CollectiveVerb, RefusesListsAndMachinesThatAreNotThere) {
  const Outcome list = call({"collective", "switched", "--gpus", "0,x"});
  EXPECT_EQ(list.code, 2);
  expect_text(list.err, "--gpus: \"x\" is not a GPU number");
  const Outcome place = call({"collective", "switched", "--gpus", "1:0"});
  EXPECT_EQ(place.code, 3);
  expect_text(place.err, "machine 1 is not there, there are 1");
  const Outcome lonely = call({"collective", "switched", "--gpus", "all", "--nodes", "2"});
  EXPECT_EQ(lonely.code, 3);
  expect_text(lonely.err, "no network joins them");
}

TEST_F(CollectiveVerb, StagesThroughHostMemoryWithoutP2p) {
  const Outcome result = call({"collective", "switched", "--gpus", "0,1", "--p2p", "off", "--min",
                               "1GiB", "--max", "1GiB", "--format", "csv"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "\n1073741824,ring,simple,host_memory,");
}

TEST_F(CollectiveVerb, ForcesAnAlgorithm) {
  const Outcome result = call({"collective", "switched", "--gpus", "0,1,2,3", "--algorithm", "nvls",
                               "--min", "8B", "--max", "8B", "--format", "json"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "heddle.collective/1");
  expect_text(result.out, "nvls");
}

TEST_F(CollectiveVerb, TakesATextAboutAMachine) {
  write("topo.txt", "");
  const Outcome result =
      call({"collective", path("topo.txt"), "--like", "switched", "--gpus", "0,4"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "PCIe across CPU sockets");
}

}  // namespace
}  // namespace heddle::cli
