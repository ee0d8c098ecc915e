// heddle accuracy from anchors to table, on a plan and a scenario of its own.

#include "sim/cli/accuracy/anchors.h"
#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

constexpr const char* kAnchors = R"({
  "memory": [{"id": "state", "gb": 0.02, "model": "tiny"}, {"id": "peak", "gb": 1}],
  "all_reduce_busbw": [{"id": "pair", "gbps": 331}, {"id": "staged", "ratio": [1, 100]}],
  "training": [{"id": "order"}, {"id": "unplanned", "ratio": 2}]
})";

constexpr const char* kPlan = R"({"schema": "heddle.accuracy-plan/1", "records": [
  {"id": "state", "state_estimate": {"scenario": "t.json", "case": "fast/fsdp",
   "bytes_per_parameter": 12, "sharded": true}},
  {"id": "peak", "memory": {"scenario": "t.json", "case": "fast/dpd", "read": "peak_allocated"}},
  {"id": "pair", "busbw": {"node": "switched", "gpus": [0, 1], "size": "8 GiB"}},
  {"id": "staged", "busbw": {"node": "switched", "gpus": [0, 1], "size": "8 GiB",
   "against_p2p_off": true}},
  {"id": "order", "throughput": {"scenario": "t.json",
   "ratios": [{"name": "ddp", "of": "fast/ddp", "over": "slow/ddp", "scored": false},
              {"name": "same", "of": "slow/ddp", "over": "slow/ddp", "scored": false}],
   "rules": [{"text": "never", "less": ["same"], "than": ["same"]}]}}
]})";

class Accuracy : public Program {
 protected:
  Accuracy() {
    std::string text = scenario("scenarios/models", "models");
    write("scenarios/t.json", text);
    write("scenarios/accuracy/anchors.json", kPlan);
    write("anchors.json", kAnchors);
  }
};

TEST_F(Accuracy, PutsPredictedBesideMeasured) {
  const Outcome result = call({"accuracy", path("anchors.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  // State: 1692928 parameters * 12 bytes / 4 ranks = 0.005078784 GB against 0.02: -74.6 %.
  expect_text(result.out, "\nstate    0.005079       0.0200  -74.6 ");
  // A ring of two at 370.8 GB/s * 0.893 carries 8 GiB in 25941.7 us; NCCL's latency for it is
  // 8.4 + 2 * 3.4 us: 8.589934592 GB in 25956.9 us = 330.9 GB/s.
  expect_text(result.out, "\npair        330.9          331   -0.0 ");
  expect_text(result.out, "1.00 to 100   +0.0  met ");
  expect_text(result.out, "order: never: MISSED (1.000 < 1.000)");
  expect_text(result.out, "state estimate (not in overall)");
}

TEST_F(Accuracy, SaysWhyAnAnchorIsNotPredicted) {
  const Outcome result = call({"accuracy", path("anchors.json")});
  expect_text(result.out, "unplanned: the accuracy plan has no entry for it");
  expect_text(result.out, "peak: --case: unknown \"fast/dpd\"; did you mean \"fast/ddp\"");
}

TEST_F(Accuracy, WritesJsonWithItsSchema) {
  const Outcome result = call({"accuracy", path("anchors.json"), "--format", "json"});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* part : {"heddle.accuracy/1", "\"groups\"", "\"overall\"", "\"unsupported\"",
                           "\"error_pct\"", "\"assumptions\""}) {
    expect_text(result.out, part);
  }
}

TEST_F(Accuracy, RefusesFaultyAnchorFiles) {
  write("bad.json", R"({"memory": [{"gb": 1}, {"id": "a", "gb": [5, 3]}, {"id": "a"}]})");
  const Outcome result = call({"accuracy", path("bad.json")});
  EXPECT_EQ(result.code, 3);
  for (const char* part : {"/memory/0", "/memory/1/gb", "/memory/2", "[duplicate-id]"}) {
    expect_text(result.err, part);
  }
  write("none.json", "{}");
  EXPECT_EQ(call({"accuracy", path("none.json")}).code, 3);
}

}  // namespace
}  // namespace heddle::cli
