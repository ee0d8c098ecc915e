#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using List = Program;

TEST_F(List, ShowsWhatScenariosMayName) {
  expect_text(call({"list", "gpus"}).out, "H200  a large GPU\n");
  expect_text(call({"list", "nodes"}).out, "switched  NVSwitch\n");
  expect_text(call({"list", "networks"}).out, "wire      a network\n");
  expect_text(call({"list", "strategies"}).out, "zero3");
}

TEST_F(List, CountsTheParametersOfModels) {
  // Embedding and head 2 * 1000 * 256; a layer: q and o 2 * 256 * 256, k and v 2 * 256 * 128, MLP
  // 3 * 256 * 512, two norms of 256; one last norm: 512000 + 2 * (131072 + 65536 + 393216 + 512)
  // + 256.
  expect_text(call({"list", "models"}).out,
              "tiny    decoder, 2 layers, hidden size 256, 1692928 parameters\n");
}

TEST_F(List, ShowsModelsThatCannotBeUsed) {
  write("scenarios/models/broken/config.json", "{");
  const Outcome result = call({"list", "models"});
  EXPECT_EQ(result.code, 0);
  expect_text(result.out, "broken  cannot be used: ");
}

TEST_F(List, PrintsTheSchema) {
  const Outcome result = call({"schema"});
  EXPECT_EQ(result.code, 0);
  expect_text(result.out, "\"$schema\"");
}

}  // namespace
}  // namespace heddle::cli
