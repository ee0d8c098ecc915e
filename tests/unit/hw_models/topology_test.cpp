// From an imported text to a fabric.

#include <gtest/gtest.h>

#include "hw_models/catalog.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

using fabric::Fabric;
using fabric::RouteKind;

class Topology : public testing::Test {
 protected:
  std::optional<Fabric> read(const std::string& text, const std::string& like) {
    return catalog_->from_import({text, "topo.txt", "auto", "", like}, out_);
  }

  std::optional<Fabric> read_as(const std::string& text, const std::string& gpu) {
    return catalog_->from_import({text, "topo.txt", "auto", gpu, ""}, out_);
  }

  std::size_t hops(const Fabric& f, std::size_t a, std::size_t b) const {
    return f.route(f.gpus()[a], f.gpus()[b], RouteKind::kPeer).size();
  }

  int socket(const Fabric& f, std::size_t gpu) const { return f.device(f.gpus()[gpu]).socket; }

  /// The fault's line, 0 if there is none with that code.
  int line_of(const std::string& code) const {
    for (const Diagnostic& d : out_.all()) {
      if (d.code == code) return d.line;
    }
    return 0;
  }

  std::string type(const Fabric& f, std::size_t a, std::size_t b) const {
    return std::string(to_string(f.path_type(f.gpus()[a], f.gpus()[b])));
  }

  const std::unique_ptr<run::HardwareCatalog> catalog_ = open_catalog(source_path("hw_models"));
  Diagnostics out_;
};

std::string describe(const Fabric& f, std::size_t a, std::size_t b, RouteKind kind) {
  std::string text;
  for (const fabric::LinkId id : f.route(f.gpus()[a], f.gpus()[b], kind)) {
    text += f.link_name(id) + " " + std::to_string(f.link(id).capacity.bytes_per_second) + "; ";
  }
  return text;
}

TEST_F(Topology, TwoQuadsTextEqualsThePreset) {
  const auto text =
      read(read_source_file("scenarios/fabrics/h200-nvl-two-quads.topo.txt"), "8xH200-NVL");
  const auto preset = catalog_->node("8xH200-NVL", out_);
  ASSERT_TRUE(text && preset);
  EXPECT_EQ(text->gpu_model(), preset->gpu_model());
  EXPECT_EQ(text->links().size(), preset->links().size());
  for (std::size_t a = 0; a < 8; ++a) {
    for (std::size_t b = 0; b < 8; ++b) {
      for (const RouteKind kind : {RouteKind::kPeer, RouteKind::kHostStaged}) {
        EXPECT_EQ(describe(*text, a, b, kind), describe(*preset, a, b, kind));
      }
      EXPECT_EQ(type(*text, a, b), type(*preset, a, b));
    }
  }
}

TEST_F(Topology, MoreLinksThanAGpuHasMeansASwitch) {
  // 3 x NV12 = 36 of 12: the pairs share the port.
  const auto f = read(
      "GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity\n"
      "GPU0 X NV12 NV12 NV12 0-9 3\nGPU1 NV12 X NV12 NV12 0-9 1\n"
      "GPU2 NV12 NV12 X NV12 0-9 7\nGPU3 NV12 NV12 NV12 X 0-9 5\n",
      "8xA100-SXM-80GB");
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->route(f->gpus()[0], f->gpus()[3], RouteKind::kPeer).size(), 2U);
  // NUMA nodes 1, 3 and 5, 7 are the two sockets.
  EXPECT_EQ(f->device(f->gpus()[0]).socket, 0);
  EXPECT_EQ(f->device(f->gpus()[1]).socket, 0);
  EXPECT_EQ(f->device(f->gpus()[2]).socket, 1);
  EXPECT_EQ(f->device(f->gpus()[3]).socket, 1);
}

TEST_F(Topology, ALonePairFollowsTheLikeNode) {
  const std::string text = "GPU0 GPU1\nGPU0 X NV18\nGPU1 NV18 X\n";
  const auto switched = read(text, "8xH200-SXM");
  const auto bridged = read(text, "8xH200-NVL");
  ASSERT_TRUE(switched && bridged);
  EXPECT_EQ(switched->route(switched->gpus()[0], switched->gpus()[1], RouteKind::kPeer).size(), 2U);
  EXPECT_TRUE(switched->comm().nvls_efficiency.has_value());
  EXPECT_EQ(bridged->route(bridged->gpus()[0], bridged->gpus()[1], RouteKind::kPeer).size(), 1U);
}

TEST_F(Topology, AMeshOnASwitchedKindOfNodeLosesInSwitchReduction) {
  const auto f = read("GPU0 GPU1\nGPU0 X NV6\nGPU1 NV6 X\n", "8xH200-SXM");
  ASSERT_TRUE(f.has_value());
  EXPECT_FALSE(f->comm().nvls_efficiency.has_value());
}

TEST_F(Topology, PrintedPcieRelationsSurviveTheRoundTrip) {
  const auto f = read(
      "GPU0 GPU1 GPU2 GPU3 GPU4\n"
      "GPU0 X PIX PXB NODE SYS\nGPU1 PIX X PXB NODE SYS\nGPU2 PXB PXB X NODE SYS\n"
      "GPU3 NODE NODE NODE X SYS\nGPU4 SYS SYS SYS SYS X\n",
      "8xH200-NVL");
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(type(*f, 0, 1), "PIX");
  EXPECT_EQ(type(*f, 0, 2), "PXB");
  EXPECT_EQ(type(*f, 2, 3), "PHB");
  EXPECT_EQ(type(*f, 0, 4), "SYS");
}

TEST_F(Topology, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(read("GPU0 GPU1\nGPU0 X NV20\nGPU1 NV20 X\n", "8xH200-SXM").has_value());
  EXPECT_TRUE(has_code(out_, "topo-nvlink"));
  EXPECT_FALSE(
      read("GPU0 GPU1 GPU2\nGPU0 X NV18 NV9\nGPU1 NV18 X NV18\nGPU2 NV9 NV18 X\n", "8xH200-SXM")
          .has_value());
  EXPECT_EQ(out_.error_count(), 2);
}

TEST_F(Topology, RefusesSocketsThatContradictTheMatrix) {
  EXPECT_FALSE(read("GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X PIX 0-9 0\nGPU1 PIX X 0-9 1\n",
                    "8xH200-SXM")
                   .has_value());
  EXPECT_TRUE(has_code(out_, "topo-sockets"));
}

TEST_F(Topology, ReportsABadTextAndABadNodeTogether) {
  EXPECT_FALSE(read("nothing", "8xH200-SMX").has_value());
  EXPECT_TRUE(has_code(out_, "unknown-name"));
  EXPECT_TRUE(has_code(out_, "unknown-text"));
}

constexpr const char* kFullPair = "GPU0 GPU1\nGPU0 X NV18\nGPU1 NV18 X\n";

TEST_F(Topology, ALonePairOfAnUnknownGpuIsRefusedWithBothReadings) {
  EXPECT_FALSE(read(kFullPair, "").has_value());
  ASSERT_EQ(out_.error_count(), 1);
  const Diagnostic& d = out_.all().front();
  EXPECT_EQ(d.code, "unknown-gpu-model");
  EXPECT_EQ(d.line, 2);
  EXPECT_NE(d.message.find("bridge"), std::string::npos);
  EXPECT_NE(d.message.find("NVSwitch"), std::string::npos);
  EXPECT_NE(d.hint.find("--gpu"), std::string::npos);
  EXPECT_NE(d.hint.find("--like"), std::string::npos);
}

TEST_F(Topology, TheGpuSaysWhatALonePairIs) {
  const auto module = read_as(kFullPair, "H200-SXM-141GB");
  const auto card = read_as(kFullPair, "H200-NVL-141GB");
  ASSERT_TRUE(module && card);
  EXPECT_EQ(hops(*module, 0, 1), 2U);  // through the switch
  EXPECT_EQ(hops(*card, 0, 1), 1U);
  EXPECT_EQ(module->gpu_model(), "H200-SXM-141GB");
}

TEST_F(Topology, UnknownGpusAreRefusedWithTheNearestName) {
  EXPECT_FALSE(read_as(kFullPair, "H200-SXM").has_value());
  EXPECT_TRUE(has_code(out_, "unknown-name"));
}

TEST_F(Topology, MissingRowsAndContradictionsAreRefused) {
  EXPECT_FALSE(read("GPU0 GPU1 GPU2\nGPU0 X NV6 NV6\nGPU2 NV6 NV6 X\n", "8xH200-NVL"));
  EXPECT_TRUE(has_code(out_, "topo-truncated"));
  EXPECT_FALSE(read("GPU0 GPU1\nGPU0 X NV6\nGPU1 NV5 X\n", "8xH200-NVL"));
  EXPECT_EQ(line_of("topo-asymmetric"), 3);
}

TEST_F(Topology, TextsWithoutAMatrixOfWiresMakeNoFabric) {
  EXPECT_FALSE(read("NUMA IDs of closest CPU: 1\n", "8xH200-NVL"));
  EXPECT_TRUE(has_code(out_, "not-a-wiring"));
}

TEST_F(Topology, AMatrixThatHidesNvlinkIsRefusedForAGpuThatHasIt) {
  EXPECT_FALSE(read("$ nvidia-smi topo -mp\nGPU0 GPU1\nGPU0 X SYS\nGPU1 SYS X\n", "8xH200-NVL"));
  EXPECT_TRUE(has_code(out_, "topo-mp"));
}

TEST_F(Topology, NumaNodesAreSpreadOverTheSocketsInOrder) {
  // Nodes 0, 2, 8 on two sockets: places 0, 1, 2 times 2 / 3 are sockets 0, 0, 1.
  const auto f = read(
      "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\n"
      "GPU0 X SYS SYS 0-9 8\nGPU1 SYS X SYS 0-9 0,3-5\nGPU2 SYS SYS X 0-9 2\n",
      "8xH200-NVL");
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(socket(*f, 0), 1);
  EXPECT_EQ(socket(*f, 1), 0);
  EXPECT_EQ(socket(*f, 2), 0);
}

TEST_F(Topology, NicsHangWhereTheMatrixSays) {
  const auto f = read(
      "GPU0 GPU1 NIC0 NIC1 NIC2 CPU Affinity NUMA Affinity\n"
      "GPU0 X SYS PIX NODE SYS 0-3 0\nGPU1 SYS X SYS SYS PXB 4-7 1\n"
      "NIC Legend:\n  NIC0: mlx5_7\n",
      "8xH200-NVL");
  ASSERT_TRUE(f.has_value());
  const auto nics = f->node_nics(0);
  ASSERT_EQ(nics.size(), 3U);
  EXPECT_EQ(f->device(nics[0]).name, "mlx5_7");
  const auto to_nic = [&](std::size_t gpu, std::size_t nic) {
    return std::string(to_string(f->path_type(f->gpus()[gpu], nics[nic])));
  };
  EXPECT_EQ(to_nic(0, 0), "PIX");
  EXPECT_EQ(to_nic(0, 1), "PHB");  // host bridges of one NUMA node are not told apart
  EXPECT_EQ(to_nic(0, 2), "SYS");
  EXPECT_EQ(to_nic(1, 2), "PXB");
  EXPECT_EQ(to_nic(1, 0), "SYS");
}

TEST_F(Topology, AFabricFileKeepsEveryLink) {
  const std::string text = "GPU0 GPU1 NIC0\nGPU0 X NV6 PIX\nGPU1 NV6 X SYS\n";
  const auto file = catalog_->fabric_file({text, "topo.txt", "auto", "", "8xH200-NVL"}, out_);
  ASSERT_TRUE(file.has_value());
  const auto direct = read(text, "8xH200-NVL");
  const auto again = read(*file, "");
  ASSERT_TRUE(direct && again) << (out_.empty() ? "" : format(out_.all().front()));
  ASSERT_EQ(again->links().size(), direct->links().size());
  for (std::size_t i = 0; i < direct->links().size(); ++i) {
    const fabric::LinkId id(i);
    EXPECT_EQ(again->link_name(id), direct->link_name(id));
    EXPECT_EQ(again->link(id).capacity, direct->link(id).capacity);
    EXPECT_EQ(again->link(id).latency, direct->link(id).latency);
  }
  EXPECT_EQ(again->comm().ring_efficiency, direct->comm().ring_efficiency);
  EXPECT_EQ(again->gpu_model(), "H200-NVL-141GB");
  const auto twice = catalog_->fabric_file({*file, "again.json", "auto", "", ""}, out_);
  ASSERT_TRUE(twice.has_value());
  EXPECT_EQ(*twice, *file);
}

TEST_F(Topology, AFabricFileNeedsNoHelp) {
  const auto file = catalog_->fabric_file({kFullPair, "t", "auto", "H200-NVL-141GB", ""}, out_);
  ASSERT_TRUE(file.has_value());
  EXPECT_FALSE(read(*file, "8xH200-NVL"));
  EXPECT_TRUE(has_code(out_, "conflict"));
}

}  // namespace
}  // namespace heddle::hw_models
