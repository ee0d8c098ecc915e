// A fat tree of 4,096 GPUs (512 x 8, three tiers) and eight NVLink domains of 72 GPUs are read,
// built, frozen and routed in well under a second of CPU time.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "hw_models/catalog.h"
#include "sim/fabric/fabric_builder.h"
#include "tests/support/cpu_time.h"

namespace heddle::fabric {
namespace {

using test::cpu_milliseconds;
using test::kMeasures;

/// Every NIC to its like in the next machine and to one half a cluster away.
std::size_t route_between_machines(const Fabric& f) {
  std::size_t links = 0;
  for (int n = 0; n < f.node_count(); ++n) {
    for (const int step : {1, f.node_count() / 2}) {
      const auto from = f.node_nics(n);
      const auto to = f.node_nics((n + step) % f.node_count());
      for (std::size_t k = 0; k < from.size(); ++k) {
        links += f.network_route(from[k], to[k]).size();
      }
    }
  }
  return links;
}

TEST(FabricBench, AFatTreeOf4096GpusTakesUnderHalfASecond) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const auto catalog = hw_models::open_catalog(std::string(HEDDLE_SOURCE_DIR) + "/hw_models");
  Diagnostics out;
  const double start = cpu_milliseconds();
  const auto f = catalog->cluster("8xH100-SXM", 512, "ib-ndr-fat-tree-3", out);
  ASSERT_TRUE(f.has_value());
  const double built = cpu_milliseconds();
  const std::size_t links = route_between_machines(*f);
  const double routed = cpu_milliseconds();
  EXPECT_EQ(f->gpus().size(), 4096U);
  EXPECT_EQ(f->node_shape(511), 0);
  EXPECT_GT(links, 4096U * 4);
  std::printf("512 x 8 GPUs: built %.0f ms, 8192 network routes %.1f ms of CPU time\n",
              built - start, routed - built);
  RecordProperty("cpu_ms", static_cast<int>(routed - start));
  EXPECT_LT(routed - start, 500.0);
}

/// A domain of 72 GPUs behind one NVSwitch: 36 CPUs with two GPUs and two NICs each.
void add_domain(FabricBuilder& b, int node, DeviceId leaf) {
  const std::string prefix = "domain" + std::to_string(node) + "/";
  const auto device = [&](DeviceKind kind, const char* name, int socket, int index) {
    return b.add_device({kind, prefix + name + std::to_string(index), node, socket, index});
  };
  const auto join = [&b](DeviceId from, DeviceId to, LinkKind kind) {
    b.add_duplex({from, to, kind, Bandwidth{50'000'000'000}, nanoseconds(100), 1});
  };
  const DeviceId hub = device(DeviceKind::kNvSwitch, "nvswitch", 0, 0);
  for (int c = 0; c < 36; ++c) {
    const DeviceId cpu = device(DeviceKind::kCpu, "cpu", c, c);
    for (int i = 2 * c; i < 2 * c + 2; ++i) {
      const DeviceId gpu = device(DeviceKind::kGpu, "gpu", c, i);
      const DeviceId nic = device(DeviceKind::kNic, "nic", c, i);
      join(gpu, cpu, LinkKind::kC2c);
      join(gpu, hub, LinkKind::kNvlink);
      join(nic, cpu, LinkKind::kPcie);
      join(nic, leaf, LinkKind::kNetwork);
    }
  }
}

TEST(FabricBench, EightDomainsOf72GpusTakeUnderHalfASecond) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  FabricBuilder b("domains", "any");
  const DeviceId leaf = b.add_device({DeviceKind::kNetSwitch, "leaf", kNoNode, 0, 0});
  const double start = cpu_milliseconds();
  for (int node = 0; node < 8; ++node) add_domain(b, node, leaf);
  Diagnostics out;
  const auto f = std::move(b).freeze("domains", out);
  const double built = cpu_milliseconds();
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->node_gpus(7).size(), 72U);
  EXPECT_EQ(f->path_type(f->node_gpus(7)[0], f->node_gpus(7)[71]), PathType::kNvlink);
  EXPECT_EQ(f->path_type(f->node_gpus(7)[0], f->node_nics(7)[1]), PathType::kP2c);
  std::printf("8 x 72 GPUs: built %.0f ms of CPU time\n", built - start);
  RecordProperty("cpu_ms", static_cast<int>(built - start));
  EXPECT_LT(built - start, 500.0);
}

}  // namespace
}  // namespace heddle::fabric
