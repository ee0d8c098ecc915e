// Measured sweeps: from their words to a machine, from errors to groups.

#include "sim/cli/accuracy/measured_sweep.h"
#include "sim/cli/accuracy/nccl_variables.h"
#include "sim/cli/accuracy/nic_text.h"
#include "sim/cli/accuracy/sweep_groups.h"
#include "tests/unit/cli/program.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kRules = R"rules({"schema": "heddle.accuracy-plan/2",
  "machines": [
    {"gpu": "not captured", "unsupported": "the GPU is not recorded"},
    {"gpu": "h200", "topology": "nvswitch", "node": "switched"}],
  "members": [{"topology": "\\(([0-9]+),([0-9]+)\\)"}],
  "nics": [
    {"text": "([0-9]+)x ?(?:[A-Z]+ )*([0-9]+) Gbps", "groups": ["count", "Gbit/s per NIC"]},
    {"text": "([0-9]+) Gbps/GPU", "groups": ["Gbit/s per GPU"]},
    {"text": "([0-9]+) Gbps per node", "groups": ["Gbit/s per node"]},
    {"text": "HDR", "groups": [], "gbps_per_nic": 200},
    {"text": "([0-9]+) Gbps", "groups": ["Gbit/s per NIC"]}],
  "networks": [{"text": "IB", "network": "wire"}],
  "overlays": [],
  "variables_without_effect": {"NCCL_DEBUG": "texts only"},
  "oldest_nccl": "2.10"})rules";

NicsRead nics(const std::string& text, int used = 8) {
  Diagnostics problems;
  const auto rules = read_place_rules(kRules, "rules", problems);
  return nics_of(text, rules.value().nics, 8, used).value_or(NicsRead{});
}

TEST(NicText, SpreadsWhatTheWordsSayOverTheGpus) {
  EXPECT_EQ(nics("8x NDR 400 Gbps IB per node").per_machine, 8);
  EXPECT_DOUBLE_EQ(nics("8x NDR 400 Gbps IB per node").gbps, 400);
  // Sixteen of 100 beside eight GPUs: 200 beside each.
  EXPECT_EQ(nics("RoCE v2 16x100 Gbps per node").per_machine, 8);
  EXPECT_DOUBLE_EQ(nics("RoCE v2 16x100 Gbps per node").gbps, 200);
  EXPECT_EQ(nics("EFA v1 4x100 Gbps per node (50 Gbps/GPU)").per_machine, 4);
  EXPECT_DOUBLE_EQ(nics("3200 Gbps per node (400 Gbps/GPU)").gbps, 400);
  EXPECT_DOUBLE_EQ(nics("1600 Gbps per node").gbps, 200);
  EXPECT_DOUBLE_EQ(nics("8 of HDR").gbps, 200);
}

TEST(NicText, GivesOneGpuOneNicWithoutACount) {
  EXPECT_EQ(nics("200 Gbps cable", 1).per_machine, 1);
  EXPECT_EQ(nics("200 Gbps cable", 2).per_machine, 8);
  EXPECT_EQ(nics("a fast one").per_machine, 0);
}

TEST(NcclVariables, BecomeSettings) {
  collective::CommSettings comm;
  EXPECT_FALSE(apply_variable("NCCL_P2P_DISABLE", "1", comm));
  EXPECT_FALSE(apply_variable("NCCL_NVLS_ENABLE", "0", comm));
  EXPECT_FALSE(apply_variable("NCCL_ALGO", "allreduce:nvlstree", comm));
  EXPECT_FALSE(apply_variable("NCCL_P2P_LEVEL", "sys", comm));
  EXPECT_FALSE(apply_variable("NCCL_MAX_NCHANNELS", "8", comm));
  EXPECT_FALSE(comm.p2p);
  EXPECT_FALSE(comm.nvls);
  EXPECT_EQ(comm.algorithm, collective::Algorithm::kNvlsTree);
  EXPECT_EQ(comm.p2p_level, fabric::PathType::kSys);
  EXPECT_EQ(comm.max_ctas, 8);
  EXPECT_EQ(apply_variable("NCCL_ALGO", "CollNet", comm), "NCCL_ALGO=CollNet is not modelled");
  EXPECT_EQ(apply_variable("NCCL_BUFFSIZE", "1", comm), "what NCCL_BUFFSIZE does is not modelled");
}

TEST(NcclVariables, ForceAWayOnlyIfTheyChangeOne) {
  EXPECT_TRUE(forces_a_way({{"NCCL_ALGO", "Ring"}}));
  EXPECT_FALSE(forces_a_way({{"NCCL_P2P_DISABLE", "0"}, {"NCCL_DEBUG", "INFO"}}));
}

SweepScore scored(std::vector<ScoredPoint> points) {
  SweepScore score;
  score.gpu_kind = "G";
  score.points = std::move(points);
  return score;
}

TEST(SweepGroups, TakeOneMedianPerSweepAndClass) {
  const Bytes large{64LL << 20};
  const Bytes small{64LL << 10};
  SweepScores scores;
  // Medians: large |10|, |-30| and |20| -> 20, signed 10; small 8.
  scores.records = {
      scored({{large, 0, 0, 10}, {large, 0, 0, -30}, {large, 0, 0, 20}, {small, 0, 0, 8}}),
      scored({{large, 0, 0, -4}})};
  scores.records.push_back(scores.records.front());
  scores.records.back().standing = Standing::kNotComparable;
  const auto groups = sweep_groups(scores);
  ASSERT_GE(groups.size(), 2U);
  EXPECT_EQ(groups[0].statistics.name, "large");
  EXPECT_EQ(groups[0].statistics.n, 2U);
  EXPECT_DOUBLE_EQ(groups[0].statistics.median_abs_pct, 12);  // of 20 and 4
  EXPECT_DOUBLE_EQ(groups[0].statistics.mean_signed_pct, 3);  // of 10 and -4
  EXPECT_EQ(groups[1].statistics.name, "small");
  EXPECT_DOUBLE_EQ(overall_of(groups).median_abs_pct, 10);  // of 12 and 8
}

TEST(SiblingFactor, ComparesDirections) {
  EXPECT_TRUE((SiblingFactor{"", "", 1.3, 1.1}).same_direction());
  EXPECT_TRUE((SiblingFactor{"", "", 1.04, 0.98}).same_direction());
  EXPECT_FALSE((SiblingFactor{"", "", 1.3, 0.9}).same_direction());
  EXPECT_NEAR((SiblingFactor{"", "", 2, 3}).error_pct(), 50, 1e-9);
}

class Sweeps : public Program {
 protected:
  Sweeps() { write("scenarios/accuracy/collectives.json", kRules); }

  Outcome judge(const std::string& records, const char* format = "table") {
    write("sweeps.json", records);
    return call({"accuracy", path("sweeps.json"), "--format", format});
  }

  static std::string record(const std::string& id, const std::string& gpu,
                            const std::string& more) {
    return R"({"id": ")" + id + R"(", "gpu": ")" + gpu +
           R"(", "topology": "8x NVSwitch", "gpus": 2, "nodes": 1, "collective": "all_reduce",)" +
           more + "}";
  }
};

TEST_F(Sweeps, JudgeAPointByItsTime) {
  const Outcome result = judge("[" + record("pair", "H200-SXM", R"("citable": false,
      "points": [{"bytes": 8589934592, "time_us": 20000}])") +
                               "]");
  ASSERT_EQ(result.code, 0) << result.err;
  // A ring of two at 370.8 GB/s * 0.893 takes 25956.9 us (accuracy_test): +29.8 % of 20000 us.
  expect_text(result.out, "pair   all_reduce       1      +29.8");
  expect_text(result.out, "2 of switched");
  expect_text(result.out, "not citable");
}

TEST_F(Sweeps, SayWhatIsMissing) {
  const std::string points = R"("points": [{"bytes": 8, "time_us": 20}])";
  const Outcome result =
      judge("[" + record("a", "not captured", points) + "," + record("b", "MI300X", points) + "," +
            record("c", "H200", R"("env": {"NCCL_BUFFSIZE": "1"},)" + points) + "," +
            R"({"id": "d", "gpu": "H200", "topology": "NVSwitch", "gpus": 16, "nodes": 2,
          "collective": "all_reduce", )" +
            points + "}," +
            R"({"id": "e", "gpu": "H200", "topology": "NVSwitch", "gpus": 2, "nodes": null,
          "collective": "all_reduce", )" +
            points + "}]");
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* part :
       {"a: the GPU is not recorded", "b: no preset for the GPU \"MI300X\"",
        "c: what NCCL_BUFFSIZE does is not modelled", "d: what joins the machines is not recorded",
        "e: the number of machines is not recorded"}) {
    expect_text(result.out, part);
  }
}

TEST_F(Sweeps, WriteJsonWithTheSchemaOfAllKinds) {
  const Outcome result = judge("[" + record("pair", "H200", R"(
      "points": [{"bytes": 1000000, "algbw_gbps": 10}])") +
                                   "]",
                               "json");
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* part : {"heddle.accuracy/1", "\"kind\": \"collectives\"", "\"overall\"",
                           "\"measured_us\": 100", "\"citable\": true"}) {
    expect_text(result.out, part);
  }
}

TEST_F(Sweeps, RefuseFaultyFilesAndUnknownKinds) {
  const Outcome faulty = judge(
      R"([{"id": "a", "collective": "all_reduce", "points": [{"bytes": 8}]},
          {"id": "a", "collective": "all_reduce", "points": []}])");
  EXPECT_EQ(faulty.code, 3);
  for (const char* part : {"/0/points/0", "[no-time]", "[no-points]", "[duplicate-id]"}) {
    expect_text(faulty.err, part);
  }
  const Outcome unknown = judge(R"([{"id": "a", "model": "tiny"}])");
  EXPECT_EQ(unknown.code, 3);
  expect_text(unknown.err, "known kinds: memory");
}

}  // namespace
}  // namespace heddle::cli::accuracy
