// Changes and background traffic from the scenario's text to what run and explain print.

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using WhatIf = Program;

const std::string kChanges =
    R"(fabrics.0.changes=[{"link": "gpu0 -> nvswitch0", "capacity": "10 %"},)"
    R"({"gpu": 1, "speed": "50 %"}])";
const std::string kBackground =
    R"(fabrics.0.background=[{"name": "copy", "from": "gpu0", "to": "gpu5", "rate": "300 GB/s"},)"
    R"({"name": "loading", "from": "cpu0", "to": "gpu6", "bytes": "1 MB", "period": "1 ms"}])";

TEST_F(WhatIf, TitleAndExplanationNameTheChanges) {
  for (const char* verb : {"run", "explain"}) {
    const Outcome result = call({verb, path("tiny.json"), "--case", "fast/ddp", "--set", kChanges});
    ASSERT_EQ(result.code, 0) << result.err;
    expect_text(result.out,
                "  what-if: gpu0 -> nvswitch0 at 10 %\n  what-if: GPU 1 at 50 % speed\n");
  }
  const Outcome explained =
      call({"explain", path("tiny.json"), "--case", "fast/ddp", "--set", kChanges});
  expect_text(explained.out, "Rank 1 (gpu1) runs at 50.0 % speed");
}

TEST_F(WhatIf, BackgroundIsShownWithItsShareOfTheLimit) {
  const Outcome result =
      call({"explain", path("tiny.json"), "--case", "fast/ddp", "--set", kBackground});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "  beside: copy: gpu0 -> gpu5, steady 300.0 GB/s\n");
  expect_text(result.out, "the limit is gpu0 -> nvswitch0");
  const Outcome json = call(
      {"run", path("tiny.json"), "--case", "fast/ddp", "--format", "json", "--set", kBackground});
  expect_text(json.out, R"("name": "copy")");
  expect_text(json.out, R"("limiting_link": "gpu0 -> nvswitch0")");
}

TEST_F(WhatIf, ErrorsOfTheMachineNameTheirChange) {
  const Outcome result =
      call({"run", path("tiny.json"), "--set",
            R"(fabrics.0.changes=[{"link": "gpu0 - nvswitch1", "state": "down"}])"});
  EXPECT_EQ(result.code, 3);
  expect_text(result.err, "/fabrics/0/changes/0");
  expect_text(result.err, "did you mean \"nvswitch0\"");
}

// gpu0 keeps neither NVLink nor PCIe: no collective can reach it.
TEST_F(WhatIf, ADisconnectedPairIsRefused) {
  const Outcome result = call(
      {"run", path("tiny.json"), "--set",
       R"(fabrics.0.changes=[{"nvlink": "off", "gpu": 0}, {"link": "gpu0 - cpu0", "state": "down"}])"});
  EXPECT_EQ(result.code, 3);
  expect_text(result.err, "no path from gpu0 to gpu1");
}

}  // namespace
}  // namespace heddle::cli
