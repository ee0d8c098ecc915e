// From an `nvidia-smi topo -m` text to a fabric.

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
    return catalog_->from_topology(text, "topo.txt", like, out_);
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
  EXPECT_TRUE(has_code(out_, "no-topology-matrix"));
}

}  // namespace
}  // namespace heddle::hw_models
