// From a PCI tree to a fabric. The machine, drawn by hand (a preset of two GPUs would look the
// same, but for the switch of GPU 0):
//
//   cpu 0 (NUMA 0) -- switch 01:00 (x16 Gen5) --+-- GPU 0 (x16 Gen5)
//                                               +-- NIC with 2 ports of 200 Gbit/s (x16 Gen5)
//   cpu 1 (NUMA 1) -- GPU 1 (x8 Gen5)
//   GPU 0 and GPU 1: 6 NVLinks

#include "hw_models/topo_fabric.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hw_models/catalog.h"
#include "sim/io/import/nccl_topo_xml.h"
#include "sim/io/import/topo_import.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

using fabric::Fabric;
using fabric::RouteKind;

constexpr const char* kMachine = R"(<system version="1">
<cpu numaid="1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207">
<pci busid="0000:a0:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="8">
<gpu dev="1" sm="90"><nvlink target="0000:10:00.0" count="6" tclass="0x030200"/></gpu></pci>
</cpu>
<cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207">
<pci busid="0000:01:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
<pci busid="0000:10:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
<gpu dev="0" sm="90"><nvlink target="0000:a0:00.0" count="6" tclass="0x030200"/></gpu></pci>
<pci busid="0000:12:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
<nic><net name="mlx5_0" dev="0" speed="200000"/><net name="mlx5_1" dev="1" speed="400000"/></nic>
</pci></pci></cpu></system>
)";

LinkModel link(const std::string& name) {
  Diagnostics out;
  auto read = read_link(shipped("links", name), out);
  EXPECT_TRUE(read.has_value()) << name;
  return read.value_or(LinkModel{});
}

TopoParts parts() {
  TopoParts result;
  result.gpu = "H200-NVL-141GB";
  result.comm.ring_efficiency = 0.9;
  result.comm.nvls_efficiency = 0.8;
  result.nvlink = link("nvlink4");
  result.pcie = link("pcie-gen5-x16");
  result.interconnect = link("cpu-emerald-rapids");
  return result;
}

class TopoFabric : public testing::Test {
 protected:
  std::optional<Fabric> build(const std::string& text, const TopoParts& with = parts()) {
    const auto imported = io::nccl_topo_xml_importer().read(text, "topo.xml", out_);
    EXPECT_TRUE(imported.has_value()) << (out_.empty() ? "" : format(out_.all().front()));
    if (!imported) return std::nullopt;
    const auto& details = dynamic_cast<const io::NcclTopoDetails&>(*imported->details);
    return build_topo_fabric("mine", details.topo, with, "topo.xml", inferences_, out_);
  }

  void expect_refused(const std::string& text, const std::string& code, int line) {
    EXPECT_FALSE(build(text).has_value());
    const Diagnostic& error = out_.all().back();
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(error.line, line);
    EXPECT_FALSE(error.hint.empty());
  }

  Diagnostics out_;
  std::vector<io::Inference> inferences_;
};

fabric::DeviceId device(const Fabric& f, const std::string& name) {
  for (std::uint32_t i = 0; i < f.devices().size(); ++i) {
    if (f.devices()[i].name == name) return fabric::DeviceId(i);
  }
  ADD_FAILURE() << "no device " << name;
  return fabric::DeviceId(0);
}

/// "gpu0 -> pcie0 55.00; ..." with payloads in GB/s.
std::string way(const Fabric& f, const std::string& a, const std::string& b, RouteKind kind) {
  std::string text;
  for (const fabric::LinkId id : f.route(device(f, a), device(f, b), kind)) {
    const std::int64_t hundredths = f.link(id).capacity.bytes_per_second / 10'000'000;
    text += f.link_name(id) + " " + std::to_string(hundredths) + "; ";
  }
  return text;
}

std::string type(const Fabric& f, const std::string& a, const std::string& b) {
  return std::string(to_string(f.path_type(device(f, a), device(f, b))));
}

TEST_F(TopoFabric, BuildsEveryDeviceAndRoute) {
  const auto f = build(kMachine);
  ASSERT_TRUE(f.has_value()) << format(out_.all().front());
  EXPECT_EQ(f->devices().size(), 7U);  // 2 GPUs, 2 CPUs, 1 switch, 2 ports
  EXPECT_EQ(f->gpu_model(), "H200-NVL-141GB");
  EXPECT_FALSE(f->comm().nvls_efficiency.has_value());  // no switch to reduce in
  // 6 links x 20.6 GB/s; staged: x16 Gen5 55, twice, the Emerald Rapids wire 40, x8 Gen5 27.5.
  EXPECT_EQ(way(*f, "gpu0", "gpu1", RouteKind::kPeer), "gpu0 -> gpu1 12360; ");
  EXPECT_EQ(way(*f, "gpu0", "gpu1", RouteKind::kHostStaged),
            "gpu0 -> pcie0 5500; pcie0 -> cpu0 5500; cpu0 -> cpu1 4000; cpu1 -> gpu1 2750; ");
  EXPECT_EQ(type(*f, "gpu0", "gpu1"), "NVL");
  EXPECT_EQ(f->device(device(*f, "gpu1")).socket, 1);
}

TEST_F(TopoFabric, PortsAreAsFastAsWireAndSlotAllow) {
  const auto f = build(kMachine);
  ASSERT_TRUE(f.has_value());
  // 200 Gbit/s = 25 GB/s; 400 Gbit/s = 50, but the two ports share 55: 27.5 each.
  EXPECT_EQ(way(*f, "mlx5_0", "gpu0", RouteKind::kPeer),
            "mlx5_0 -> pcie0 2500; pcie0 -> gpu0 5500; ");
  EXPECT_EQ(way(*f, "mlx5_1", "gpu0", RouteKind::kPeer),
            "mlx5_1 -> pcie0 2750; pcie0 -> gpu0 5500; ");
  EXPECT_EQ(type(*f, "gpu0", "mlx5_0"), "PIX");
  EXPECT_EQ(type(*f, "gpu1", "mlx5_0"), "SYS");
}

TEST_F(TopoFabric, AgreesWithAPreset) {
  // The wiring of half a quad of 8xH200-NVL, written as NCCL would dump it.
  const std::string gpu =
      R"(<pci busid="0000:1@:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
<gpu dev="@" sm="90"><nvlink target="0000:1#:00.0" count="6" tclass="0x030200"/></gpu></pci>)";
  const auto numbered = [&gpu](char own, char other) {
    std::string text = gpu;
    for (char& c : text) c = c == '@' ? own : c == '#' ? other : c;
    return text;
  };
  const auto mine = build("<system version=\"1\"><cpu numaid=\"0\">" + numbered('0', '1') +
                          numbered('1', '0') + "</cpu><cpu numaid=\"1\"/></system>");
  const auto preset = open_catalog(source_path("hw_models"))->node("8xH200-NVL", out_);
  ASSERT_TRUE(mine && preset);
  EXPECT_EQ(way(*mine, "gpu0", "gpu1", RouteKind::kPeer),
            way(*preset, "gpu0", "gpu1", RouteKind::kPeer));
  EXPECT_EQ(type(*mine, "gpu0", "gpu1"), type(*preset, "gpu0", "gpu1"));
  EXPECT_EQ(way(*mine, "cpu0", "cpu1", RouteKind::kPeer),
            way(*preset, "cpu0", "cpu1", RouteKind::kPeer));
}

TEST_F(TopoFabric, LinksIntoSwitchesEndInOneHub) {
  std::string text = changed({"", "", kMachine}, R"("0000:10:00.0" count="6" tclass="0x030200")",
                             R"("0000:05:00.0" count="18" tclass="0x068000")")
                         .text;
  text = changed({"", "", text}, R"("0000:a0:00.0" count="6" tclass="0x030200")",
                 R"("0000:06:00.0" count="18" tclass="0x068000")")
             .text;
  const auto f = build(text);
  ASSERT_TRUE(f.has_value());
  // 18 x 20.6 = 370.8 GB/s into the hub and out of it.
  EXPECT_EQ(way(*f, "gpu0", "gpu1", RouteKind::kPeer),
            "gpu0 -> nvswitch0 37080; nvswitch0 -> gpu1 37080; ");
  EXPECT_TRUE(f->comm().nvls_efficiency.has_value());
}

TEST_F(TopoFabric, AStaticFileTakesTheLinksOfItsKindOfNode) {
  const std::string text =
      "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:10:00.0\" class=\"0x030200\"/>"
      "<pci busid=\"0000:11:00.0\" class=\"0x030200\"/></cpu></system>";
  TopoParts with = parts();
  with.nvlinks.switch_links = 18;
  const auto f = build(text, with);
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(way(*f, "gpu0", "gpu1", RouteKind::kPeer),
            "gpu0 -> nvswitch0 37080; nvswitch0 -> gpu1 37080; ");
  ASSERT_EQ(inferences_.size(), 1U);
  EXPECT_EQ(inferences_.front().what, "NVLinks");
  // No slot is told either: that of the kind of node.
  EXPECT_EQ(way(*f, "gpu0", "cpu0", RouteKind::kHostStaged), "gpu0 -> cpu0 5500; ");
  expect_refused(text, "topo-links-untold", 1);  // parts() has no pairs for two GPUs
}

constexpr const char* kSuperchip =
    "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0000:10:00.0\" "
    "class=\"0x030200\"><gpu dev=\"0\" sm=\"90\"><c2c bw=\"45000\" count=\"10\"/></gpu></pci>"
    "</cpu></system>";

TEST_F(TopoFabric, ASuperchipsLinkIsAsFastAsTold) {
  const auto f = build(kSuperchip);
  ASSERT_TRUE(f.has_value());
  // 10 links of 45000 MB/s.
  const auto has = [&f](fabric::LinkKind kind) {
    for (const fabric::Link& l : f->links()) {
      if (l.kind == kind) return l.capacity.bytes_per_second;
    }
    return std::int64_t{0};
  };
  EXPECT_EQ(has(fabric::LinkKind::kC2c), 450'000'000'000);
}

// GH200 has no NVLink to take a latency from; nvlink-c2c.json says 0.4 us. The capacity is told.
TEST_F(TopoFabric, ASuperchipsLinkHasThePresetsLatencyAndTheTextAsOrigin) {
  const auto catalog = open_catalog(source_path("hw_models"));
  const run::ImportedText source{kSuperchip, "chip.xml", "auto", "", "GH200"};
  const auto f = catalog->from_import(source, out_);
  ASSERT_TRUE(f.has_value()) << format(out_.all().front());
  const auto c2c = std::find_if(f->links().begin(), f->links().end(),
                                [](const auto& l) { return l.kind == fabric::LinkKind::kC2c; });
  ASSERT_NE(c2c, f->links().end());
  EXPECT_EQ(c2c->latency, nanoseconds(400));
  const auto file = catalog->fabric_file(source, out_);
  ASSERT_TRUE(file.has_value());
  EXPECT_NE(file->find("stated by chip.xml"), std::string::npos) << *file;
  EXPECT_EQ(file->find("nvlink-c2c"), std::string::npos) << *file;
}

TEST_F(TopoFabric, C2cWithoutAPresetsHasTheLatencyOfItsNvlink) {
  const auto f = build(kSuperchip);
  ASSERT_TRUE(f.has_value());
  for (const fabric::Link& l : f->links()) {
    if (l.kind == fabric::LinkKind::kC2c) {
      EXPECT_EQ(l.latency, parts().nvlink.latency);
    }
  }
}

TEST_F(TopoFabric, RefusesWhatItWouldHaveToGuess) {
  const auto with = [](const std::string& from, const std::string& to) {
    return changed({"", "", kMachine}, from, to).text;
  };
  expect_refused(with("count=\"6\"", "count=\"5\""), "topo-asymmetric", 3);
  expect_refused(
      "<system><cpu numaid=\"0\">\n<pci busid=\"0000:10:00.0\" class=\"0x030200\">"
      "<gpu dev=\"0\" sm=\"80\"><nvlink target=\"0000:10:00.0\" count=\"12\" "
      "tclass=\"0x030200\"/></gpu></pci></cpu></system>",
      "topo-link-self", 2);
  expect_refused("<system><cpu numaid=\"0\"><pci busid=\"0000:00:16.0\"/></cpu></system>",
                 "topo-no-gpu", 0);
}

}  // namespace
}  // namespace heddle::hw_models
