#include "sim/fabric/fabric_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/fabric/machines.h"

namespace heddle::fabric {
namespace {

bool has_code(const Diagnostics& out, const std::string& code) {
  return std::any_of(out.all().begin(), out.all().end(),
                     [&code](const Diagnostic& d) { return d.code == code; });
}

TEST(FabricBuilder, FreezesASoundMachine) {
  Diagnostics out;
  const auto fabric = two_sockets().freeze("test", out);
  ASSERT_TRUE(fabric.has_value());
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(fabric->name(), "two sockets");
  EXPECT_EQ(fabric->gpu_model(), "any");
  EXPECT_EQ(fabric->devices().size(), 9U);
  EXPECT_EQ(fabric->links().size(), 20U);  // ten cables, two directions each
  EXPECT_EQ(fabric->node_count(), 1);
  EXPECT_EQ(fabric->link_name(LinkId(0)), "gpu0 -> pcie0");
  EXPECT_EQ(fabric->link_name(LinkId(1)), "pcie0 -> gpu0");
}

TEST(FabricBuilder, OrdersGpusByNodeThenNumber) {
  FabricBuilder b("unordered", "any");
  b.add_device({DeviceKind::kGpu, "late", 1, 0, 0});
  b.add_device({DeviceKind::kGpu, "second", 0, 0, 1});
  b.add_device({DeviceKind::kGpu, "first", 0, 0, 0});
  Diagnostics out;
  const auto fabric = std::move(b).freeze("test", out);
  ASSERT_TRUE(fabric.has_value());
  ASSERT_EQ(fabric->gpus().size(), 3U);
  EXPECT_EQ(fabric->device(fabric->gpus()[0]).name, "first");
  EXPECT_EQ(fabric->device(fabric->gpus()[1]).name, "second");
  EXPECT_EQ(fabric->device(fabric->gpus()[2]).name, "late");
  EXPECT_EQ(fabric->node_count(), 2);
}

TEST(FabricBuilder, KeepsOutLinksByDevice) {
  FabricBuilder b("pair", "any");
  const DeviceId a = add(b, DeviceKind::kGpu, "gpu0", 0);
  const DeviceId c = add(b, DeviceKind::kGpu, "gpu1", 1);
  b.add_link({a, c, LinkKind::kNvlink, Bandwidth{1}, nanoseconds(1), 1});
  Diagnostics out;
  const auto fabric = std::move(b).freeze("test", out);
  ASSERT_TRUE(fabric.has_value());
  EXPECT_EQ(fabric->out_links(a).size(), 1U);
  EXPECT_TRUE(fabric->out_links(c).empty());
}

TEST(FabricBuilder, ReportsEveryFaultAtOnce) {
  FabricBuilder b("broken", "any");
  const DeviceId a = add(b, DeviceKind::kGpu, "gpu0", 0);
  const DeviceId c = add(b, DeviceKind::kGpu, "gpu0", 0);
  b.add_device({DeviceKind::kCpu, "cpu0", -1, 0, 0});
  join(b, a, a, LinkKind::kNvlink, 10);
  join(b, a, c, LinkKind::kNvlink, 0);
  join(b, a, DeviceId(77), LinkKind::kNvlink, 10);
  join(b, DeviceId(), a, LinkKind::kNvlink, 10);
  Diagnostics out;
  EXPECT_FALSE(std::move(b).freeze("broken.json", out).has_value());
  for (const char* code : {"duplicate-device", "duplicate-gpu", "bad-node", "self-link",
                           "no-capacity", "dangling-link"}) {
    EXPECT_TRUE(has_code(out, code)) << code;
  }
  // One per device fault (3) and one per direction of the four faulty cables (8).
  EXPECT_EQ(out.error_count(), 11);
  EXPECT_EQ(out.all().front().file, "broken.json");
}

TEST(FabricBuilder, RefusesAMachineWithoutGpus) {
  FabricBuilder b("empty", "any");
  Diagnostics out;
  EXPECT_FALSE(std::move(b).freeze("test", out).has_value());
  EXPECT_TRUE(has_code(out, "no-gpu"));
}

}  // namespace
}  // namespace heddle::fabric
