#include <gtest/gtest.h>

#include "hw_models/catalog.h"
#include "hw_models/network_fabric.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

using fabric::DeviceId;
using fabric::Fabric;

/// Machines of one GPU and `nics` NICs of 50 GB/s, nothing between, on a network.
Fabric bare(int nodes, int nics, const NetworkModel& network) {
  fabric::FabricBuilder builder("bare", "any");
  std::vector<std::vector<DeviceId>> ports;
  for (int n = 0; n < nodes; ++n) {
    const std::string node = "n" + std::to_string(n) + ".";
    builder.add_device({fabric::DeviceKind::kGpu, node + "gpu", n, 0, 0});
    ports.emplace_back();
    for (int k = 0; k < nics; ++k) {
      ports.back().push_back(builder.add_device(
          {fabric::DeviceKind::kNic, node + "nic" + std::to_string(k), n, 0, k}));
    }
  }
  LinkModel cable;
  cable.kind = fabric::LinkKind::kNetwork;
  cable.payload_rate = {50'000'000'000};
  cable.latency = nanoseconds(100);
  add_network(builder, network, cable, ports);
  Diagnostics out;
  auto fabric = std::move(builder).freeze("test", out);
  EXPECT_TRUE(fabric.has_value());
  return std::move(*fabric);
}

/// "n0.nic0 leaf0 n1.nic0 50,50": devices passed and capacities in GB/s.
std::string way(const Fabric& f, int from_node, int from_nic, int to_node, int to_nic) {
  const auto links = f.network_route(f.node_nics(from_node)[static_cast<std::size_t>(from_nic)],
                                     f.node_nics(to_node)[static_cast<std::size_t>(to_nic)]);
  std::string devices;
  std::string capacities;
  for (const fabric::LinkId id : links) {
    if (devices.empty()) devices = f.device(f.link(id).from).name;
    devices += " " + f.device(f.link(id).to).name;
    capacities += (capacities.empty() ? "" : ",") +
                  std::to_string(f.link(id).capacity.bytes_per_second / 1'000'000'000);
  }
  return devices + " " + capacities;
}

TEST(NetworkFabric, ASingleSwitchJoinsAll) {
  const Fabric f = bare(3, 2, {});
  EXPECT_EQ(way(f, 0, 0, 2, 1), "n0.nic0 switch n2.nic1 50,50");
}

TEST(NetworkFabric, RailsMeetInTheSpine) {
  NetworkModel network;
  network.shape = NetworkShape::kRailOptimised;
  network.nodes_per_leaf = 2;
  network.oversubscription = {2, 1};
  const Fabric f = bare(3, 2, network);
  EXPECT_EQ(way(f, 0, 1, 1, 1), "n0.nic1 pod0/rail1 n1.nic1 50,50");
  // A leaf has two downlinks of 50 GB/s, hence 50 GB/s up at 2:1; pod 1 is built alike, half full.
  EXPECT_EQ(way(f, 0, 0, 1, 1), "n0.nic0 pod0/rail0 spine pod0/rail1 n1.nic1 50,50,50,50");
  EXPECT_EQ(way(f, 0, 1, 2, 1), "n0.nic1 pod0/rail1 spine pod1/rail1 n2.nic1 50,50,50,50");
}

TEST(NetworkFabric, AFatTreeWidensTowardsTheTop) {
  NetworkModel network;
  network.shape = NetworkShape::kFatTree;
  network.tiers = 3;
  network.nodes_per_leaf = 2;
  network.leaves_per_pod = 2;
  network.oversubscription = {4, 1};
  const Fabric f = bare(5, 2, network);
  EXPECT_EQ(way(f, 0, 0, 1, 1), "n0.nic0 leaf0 n1.nic1 50,50");
  // Leaf: 2 nodes x 2 NICs x 50 = 200 GB/s. Pod: 2 leaves x 200 / 4 = 100 GB/s.
  EXPECT_EQ(way(f, 0, 0, 2, 0), "n0.nic0 leaf0 pod0 leaf1 n2.nic0 50,200,200,50");
  EXPECT_EQ(way(f, 0, 0, 4, 1), "n0.nic0 leaf0 pod0 core pod1 leaf2 n4.nic1 50,200,100,100,200,50");
}

TEST(NetworkFabric, ALoneLeafNeedsNoSpine) {
  NetworkModel network;
  network.shape = NetworkShape::kFatTree;
  network.nodes_per_leaf = 8;
  const Fabric f = bare(3, 1, network);
  EXPECT_EQ(f.devices().size(), 3U * 2 + 1);
}

class Cluster : public testing::Test {
 protected:
  std::optional<Fabric> cluster(const std::string& node, int nodes, const std::string& network) {
    return catalog_->cluster(node, nodes, network, out_);
  }
  std::string_view type(const Fabric& f, DeviceId a, DeviceId b) {
    return to_string(f.path_type(a, b));
  }

  const std::unique_ptr<run::HardwareCatalog> catalog_ = open_catalog(source_path("hw_models"));
  Diagnostics out_;
};

TEST_F(Cluster, PutsANicBesideEachGpu) {
  const auto f = cluster("8xH100-SXM", 2, "ib-ndr-rail");
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->name(), "2 x 8xH100-SXM over ib-ndr-rail");
  ASSERT_EQ(f->node_nics(1).size(), 8U);
  EXPECT_EQ(f->device(f->node_gpus(1)[3]).name, "node1/gpu3");
  EXPECT_EQ(type(*f, f->node_gpus(1)[3], f->node_nics(1)[3]), "PIX");
  EXPECT_EQ(type(*f, f->node_gpus(1)[3], f->node_nics(1)[2]), "PHB");
  EXPECT_EQ(type(*f, f->node_gpus(1)[3], f->node_nics(1)[4]), "SYS");
  EXPECT_EQ(type(*f, f->node_gpus(0)[3], f->node_gpus(1)[4]), "NET");
  EXPECT_EQ(f->node_shape(0), f->node_shape(1));
  ASSERT_TRUE(f->comm().network.has_value());
  EXPECT_DOUBLE_EQ(f->comm().network->efficiency, 0.955);
}

TEST_F(Cluster, SpreadsFewNicsOverTheGpus) {
  const auto four = cluster("8xA100-SXM-80GB", 2, "efa-p4d");
  ASSERT_TRUE(four.has_value());
  // floor(k * 8 / 4): beside GPUs 0, 2, 4, 6, which share a switch with the next.
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(type(*four, four->node_gpus(0)[2 * k], four->node_nics(0)[k]), "PIX");
  }
  const auto one = cluster("8xH200-NVL", 2, "ethernet-10g");
  ASSERT_TRUE(one.has_value());
  ASSERT_EQ(one->node_nics(0).size(), 1U);
  EXPECT_EQ(type(*one, one->node_gpus(0)[0], one->node_nics(0)[0]), "PHB");
  EXPECT_EQ(type(*one, one->node_gpus(0)[7], one->node_nics(0)[0]), "SYS");
}

TEST_F(Cluster, OneMachineKeepsItsNames) {
  const auto f = cluster("8xH100-SXM", 1, "ib-ndr-rail");
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->name(), "8xH100-SXM over ib-ndr-rail");
  EXPECT_EQ(f->device(f->gpus()[0]).name, "gpu0");
}

TEST_F(Cluster, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(cluster("8xH100-SXM", 2, "ib-ndr-rial").has_value());
  ASSERT_EQ(out_.all().size(), 1U);
  EXPECT_EQ(out_.all()[0].message, "unknown network \"ib-ndr-rial\"");
  EXPECT_NE(out_.all()[0].hint.find("ib-ndr-rail"), std::string::npos);
}

TEST_F(Cluster, EveryNetworkJoinsEveryPairOfNics) {
  ASSERT_GE(catalog_->networks().size(), 17U);
  for (const run::CatalogEntry& network : catalog_->networks()) {
    SCOPED_TRACE(network.name);
    const auto f = cluster("8xA100-SXM-80GB", 6, network.name);
    for (const Diagnostic& d : out_.all()) ADD_FAILURE() << format(d);
    ASSERT_TRUE(f.has_value());
    for (int a = 0; a < 6; ++a) {
      for (const DeviceId from : f->node_nics(a)) {
        for (const DeviceId to : f->node_nics((a + 1) % 6)) {
          EXPECT_FALSE(f->network_route(from, to).empty());
        }
      }
    }
    const fabric::NetworkTransport& transport = f->comm().network.value();
    EXPECT_GE(transport.efficiency, 0.5);
    EXPECT_LE(transport.latency, microseconds(50));
  }
}

}  // namespace
}  // namespace heddle::hw_models
