#include <gtest/gtest.h>

#include "tests/support/collective_machines.h"

namespace heddle::collective {
namespace {

std::vector<std::string> refusals(const fabric::Fabric& fabric,
                                  std::vector<fabric::DeviceId> members,
                                  const CommSettings& settings = {}) {
  Diagnostics problems;
  const auto model =
      CollectiveModel::create(fabric, std::move(members), settings, test::hopper(), problems);
  EXPECT_FALSE(model.has_value());
  std::vector<std::string> codes;
  for (const Diagnostic& problem : problems.all()) codes.push_back(problem.code);
  return codes;
}

using Codes = std::vector<std::string>;

TEST(Refusal, EveryDuplicateIsReported) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  EXPECT_EQ(refusals(node, test::gpus({0, 1, 0, 1})), (Codes{"duplicate-gpu", "duplicate-gpu"}));
}

TEST(Refusal, DevicesThatAreNotGpus) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  EXPECT_EQ(refusals(node, test::gpus({0, 8})), Codes{"not-a-gpu"});
}

TEST(Refusal, PairsWithoutAPathAreNamed) {
  fabric::FabricBuilder builder("machine", "H200");
  for (int i = 0; i < 2; ++i) {
    builder.add_device({fabric::DeviceKind::kGpu, "gpu" + std::to_string(i), 0, 0, i});
  }
  const fabric::Fabric node = test::frozen(std::move(builder));
  EXPECT_EQ(refusals(node, test::first_gpus(2)), Codes{"no-path"});
}

TEST(Refusal, SwitchReductionWithoutASwitch) {
  CommSettings settings;
  settings.algorithm = Algorithm::kNvls;
  const fabric::Fabric quads = test::bridged_quads(test::h200_nvl());
  EXPECT_EQ(refusals(quads, test::first_gpus(4), settings), Codes{"no-nvls"});
  settings.p2p = false;
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  EXPECT_EQ(refusals(node, test::first_gpus(4), settings), Codes{"no-nvls"});
}

TEST(Refusal, HostStagingOfUnknownRate) {
  test::Machine machine = test::h200_nvl();
  machine.comm.host_staging = {};
  const fabric::Fabric node = test::bridged_quads(machine);
  EXPECT_EQ(refusals(node, test::gpus({0, 4})), Codes{"no-host-staging"});
}

TEST(Refusal, ProtocolThatNothingRuns) {
  CommSettings settings;
  settings.protocol = Protocol::kLl128;  // needs NVLink
  const fabric::Fabric node = test::pcie_node(test::h200_nvl());
  EXPECT_EQ(refusals(node, test::first_gpus(2), settings), Codes{"no-protocol"});
}

}  // namespace
}  // namespace heddle::collective
