#include "hw_models/network_reader.h"

#include <gtest/gtest.h>

#include "hw_models/node_reader.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

TEST(NetworkReader, ReadsShapeNicsAndTransport) {
  Diagnostics out;
  const auto rail = read_network(shipped("networks", "ib-hdr-rail"), out);
  ASSERT_TRUE(rail.has_value());
  EXPECT_EQ(rail->shape, NetworkShape::kRailOptimised);
  EXPECT_EQ(rail->nodes_per_leaf, 20);
  ASSERT_TRUE(rail->nics.has_value());
  EXPECT_EQ(rail->nics->of_machine(8), 8);
  EXPECT_EQ(rail->nics->of_machine(4), 4);
  EXPECT_DOUBLE_EQ(rail->transport.efficiency, 0.955);
  EXPECT_TRUE(rail->transport.gpu_direct);
  const auto tcp = read_network(shipped("networks", "ethernet-100g"), out);
  ASSERT_TRUE(tcp.has_value());
  EXPECT_EQ(tcp->nics->of_machine(8), 1);
  EXPECT_TRUE(tcp->transport.sockets);
  EXPECT_FALSE(tcp->transport.gpu_direct);
  EXPECT_EQ(tcp->transport.per_nic_cap, Bandwidth{8'100'000'000});
}

TEST(NetworkReader, RefusesShapesAndRatiosThatAreNone) {
  DataFile file = shipped("networks", "ib-ndr-fat-tree-3-over-2");
  for (const char* ratio : {"\"1:2\"", "\"2\"", "\"2:0\"", "\"2:1:1\"", "\"-2:-1\"", "\":\""}) {
    Diagnostics out;
    EXPECT_FALSE(read_network(changed(file, "\"2:1\"", ratio), out)) << ratio;
    EXPECT_TRUE(has_code(out, "bad-ratio")) << ratio;
  }
  Diagnostics out;
  EXPECT_FALSE(read_network(changed(file, "\"3 tiers\"", "\"4 tiers\""), out));
  EXPECT_FALSE(read_network(changed(file, "\"fat-tree\"", "\"fat-three\""), out));
  EXPECT_TRUE(has_code(out, "bad-count"));
  EXPECT_TRUE(has_code(out, "unknown-shape"));
}

TEST(NetworkReader, RefusesKeysOfAnotherShape) {
  DataFile file = shipped("networks", "ib-ndr-fat-tree-3");
  Diagnostics out;
  EXPECT_FALSE(read_network(changed(file, "\"3 tiers\"", "\"2 tiers\""), out));
  ASSERT_TRUE(has_code(out, "unknown-key"));
  EXPECT_EQ(out.all().front().pointer, "/shape/leaves_per_pod");
}

/// A node file with NICs and host keys that the shipped one lacks.
DataFile with(const std::string& top, const std::string& host) {
  DataFile file = changed(shipped("nodes", "8xH200-NVL"), "\"comm\":", top + "\"comm\":");
  return changed(file, "\"interconnect\":", host + "\"interconnect\":");
}

constexpr const char* kOrigin =
    "\"kind\": \"measured\", \"source\": \"here\", \"date\": \"2026-11\"}";

TEST(NodeReader, ReadsNicsAndItsNetwork) {
  Diagnostics out;
  const std::string nics = std::string("\"nics\": {\"count\": {\"value\": \"2 NICs\", ") + kOrigin +
                           ", \"link\": \"ib-hdr\"}, \"network\": \"ib-hdr-rail\", ";
  const auto node = read_node(with(nics, ""), out);
  ASSERT_TRUE(node.has_value());
  EXPECT_EQ(node->nics.count, 2);
  EXPECT_EQ(node->nics.link, "ib-hdr");
  EXPECT_EQ(node->network, "ib-hdr-rail");
}

TEST(NodeReader, RefusesC2cBelowAPcieSwitch) {
  Diagnostics out;
  const DataFile file = with("", "\"c2c\": \"link\", ");
  EXPECT_TRUE(read_node(file, out).has_value());
  EXPECT_FALSE(read_node(changed(file, "\"0 GPUs\"", "\"2 GPUs\""), out));
  EXPECT_TRUE(has_code(out, "conflict"));
}

TEST(NicReader, RefusesTwoCounts) {
  Diagnostics out;
  const std::string nics = std::string("\"nics\": {\"count\": {\"value\": \"2 NICs\", ") + kOrigin +
                           ", \"per_gpu\": {\"value\": \"1 NIC\", " + kOrigin +
                           ", \"link\": \"ib-hdr\"}, ";
  EXPECT_FALSE(read_node(with(nics, ""), out).has_value());
  EXPECT_TRUE(has_code(out, "conflict"));
}

}  // namespace
}  // namespace heddle::hw_models
