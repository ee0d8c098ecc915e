#include "hw_models/topo_parts.h"

#include <gtest/gtest.h>

namespace heddle::hw_models {
namespace {

LinkModel wire(const std::string& name, std::int64_t gb_per_second) {
  LinkModel link;
  link.name = name;
  link.payload_rate = Bandwidth{gb_per_second * 1'000'000'000};
  return link;
}

NodeModel node() {
  NodeModel result;
  result.gpu = "H200-NVL-141GB";
  result.gpus = 2;
  result.gpus_per_socket = 1;
  result.wiring = NvlinkWiring::kSwitch;
  result.links_per_gpu = 18;
  return result;
}

io::NcclTopo two_cpus(const std::string& arch) {
  io::NcclTopo topo;
  topo.cpus.resize(2);
  for (io::NcclCpu& cpu : topo.cpus) cpu.arch = arch;
  return topo;
}

TEST(TopoParts, TheProcessorDecidesTheWire) {
  NodeLinks links;
  links.interconnect = wire("preset", 16);
  const auto known = [](const io::NcclCpu&) { return std::optional(wire("fast", 40)); };
  const auto unknown = [](const io::NcclCpu&) { return std::optional<LinkModel>(); };
  std::vector<io::Inference> found;
  const auto name = [&](const std::string& arch, const WireOfCpu& wire_of) {
    return topo_parts(two_cpus(arch), node(), links, wire_of, found).interconnect.name;
  };
  EXPECT_EQ(name("x86_64", known), "fast");
  EXPECT_EQ(name("x86_64", unknown), "preset");
  EXPECT_EQ(name("", known), "preset");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].value, "40 GB/s (fast)");
  EXPECT_EQ(found[1].value, "16 GB/s (preset, of the node preset)");
  EXPECT_EQ(found[2].from, "the text does not name the processor");
}

TEST(TopoParts, TheRestIsThePresets) {
  std::vector<io::Inference> found;
  io::NcclTopo topo;
  topo.cpus.resize(1);
  const TopoParts parts = topo_parts(topo, node(), {}, nullptr, found);
  EXPECT_EQ(parts.gpu, "H200-NVL-141GB");
  EXPECT_EQ(parts.nvlinks.switch_links, 18);
  EXPECT_TRUE(found.empty());  // one CPU has no wire
}

}  // namespace
}  // namespace heddle::hw_models
