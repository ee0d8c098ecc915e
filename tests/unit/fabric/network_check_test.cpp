#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/fabric/clusters.h"

namespace heddle::fabric {
namespace {

using Nics = std::vector<std::vector<DeviceId>>;

/// The codes of the faults of two machines with a leaf and a spine, after `spoil`.
std::vector<std::string> faults(
    const std::function<void(FabricBuilder&, const Nics&, DeviceId, DeviceId)>& spoil) {
  FabricBuilder b("test", "any");
  const Nics nics = add_pairs(b, 2);
  const DeviceId leaf = add_switch(b, "leaf", 0);
  const DeviceId spine = add_switch(b, "spine", 1);
  join(b, leaf, spine, LinkKind::kNetwork, 100);
  join(b, nics[0][0], leaf, LinkKind::kNetwork, 25);
  spoil(b, nics, leaf, spine);
  Diagnostics out;
  const bool is_frozen = std::move(b).freeze("test", out).has_value();
  EXPECT_EQ(is_frozen, out.empty());
  std::vector<std::string> codes;
  for (const Diagnostic& d : out.all()) codes.push_back(d.code);
  return codes;
}

using Codes = std::vector<std::string>;

TEST(NetworkCheck, AcceptsATree) {
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics& nics, DeviceId, DeviceId spine) {
              join(b, nics[1][0], spine, LinkKind::kNetwork, 25);
            }),
            Codes{});
}

TEST(NetworkCheck, RefusesLoopsAndParallelCables) {
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics&, DeviceId leaf, DeviceId spine) {
              const DeviceId other = add_switch(b, "other", 2);
              join(b, leaf, other, LinkKind::kNetwork, 100);
              join(b, other, spine, LinkKind::kNetwork, 100);
            }),
            Codes{"network-loop"});
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics&, DeviceId leaf, DeviceId spine) {
              join(b, leaf, spine, LinkKind::kNetwork, 100);
            }),
            (Codes{"parallel-links", "parallel-links"}));  // once per direction
}

TEST(NetworkCheck, RefusesHalfCablesAndSecondPorts) {
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics& nics, DeviceId leaf, DeviceId) {
              b.add_link({nics[1][0], leaf, LinkKind::kNetwork, Bandwidth{1}, {}, 1});
            }),
            Codes{"one-way-link"});
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics& nics, DeviceId, DeviceId) {
              const DeviceId other = add_switch(b, "other", 2);
              join(b, nics[0][0], other, LinkKind::kNetwork, 25);
            }),
            Codes{"two-ports"});
}

TEST(NetworkCheck, RefusesLinksThatLeaveAMachineByAnotherWay) {
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics& nics, DeviceId, DeviceId) {
              b.add_link({nics[0][1], nics[1][1], LinkKind::kPcie, Bandwidth{1}, {}, 1});
            }),
            Codes{"stray-link"});
  EXPECT_EQ(faults([](FabricBuilder& b, const Nics&, DeviceId leaf, DeviceId) {
              b.add_link({DeviceId(0), leaf, LinkKind::kNetwork, Bandwidth{1}, {}, 1});
            }),
            Codes{"stray-link"});
}

TEST(NetworkCheck, SwitchesAreInNoMachineAndNothingElseIs) {
  FabricBuilder b("test", "any");
  add(b, DeviceKind::kGpu, "gpu0", 0);
  b.add_device({DeviceKind::kNetSwitch, "leaf", 0, 0, 0});
  b.add_device({DeviceKind::kNic, "nic", kNoNode, 0, 0});
  Diagnostics out;
  EXPECT_FALSE(std::move(b).freeze("test", out).has_value());
  EXPECT_EQ(out.error_count(), 2);
  for (const Diagnostic& d : out.all()) EXPECT_EQ(d.code, "bad-node");
}

}  // namespace
}  // namespace heddle::fabric
