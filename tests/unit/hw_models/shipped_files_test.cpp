// Walks the hardware folder: whatever is added there is checked without a new test.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hw_models/catalog.h"
#include "hw_models/data_folder.h"
#include "hw_models/link_reader.h"
#include "hw_models/node_reader.h"
#include "hw_models/overlay.h"
#include "hw_models/software_reader.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

template <typename T>
void expect_within(T value, T low, T high) {
  EXPECT_GE(value, low);
  EXPECT_LE(value, high);
}

std::string all_messages(const Diagnostics& out) {
  std::string text;
  for (const Diagnostic& d : out.all()) text += format(d) + "\n";
  return text;
}

class ShippedFiles : public testing::Test {
 protected:
  const std::unique_ptr<run::HardwareCatalog> catalog_ = open_catalog(source_path("hw_models"));
};

/// The data type that needs twice the bits has half the rate, where both run on the same units;
/// GeForce and Ada run fp32 outside them as fast as tf32 inside.
void expect_plausible_peaks(const model::GpuModel& gpu) {
  const auto rate = [&gpu](schedule::DType dtype) { return gpu.peak_of(dtype).flops_per_second; };
  const double fp32 = rate(schedule::DType::kFloat32);
  const double tf32 = rate(schedule::DType::kTensorFloat32);
  const double bf16 = rate(schedule::DType::kBFloat16);
  const double fp16 = rate(schedule::DType::kFloat16);
  expect_within(fp32, 9e12, 200e12);
  EXPECT_GE(fp16, 1.9 * fp32);
  EXPECT_LE(fp32, tf32);
  const bool before_ampere =
      gpu.architecture == "pascal" || gpu.architecture == "volta" || gpu.architecture == "turing";
  EXPECT_EQ(bf16, before_ampere ? 0 : fp16);
  if (tf32 > fp32) {
    EXPECT_NEAR(fp16 / tf32, 2, 0.03);  // data sheets round: 362.05 and 183 on the L40S
  }
  // Products so large that memory never limits them need at least this many FLOPs per byte.
  const double intensity = fp16 / static_cast<double>(gpu.hbm.bytes_per_second);
  expect_within(intensity, 25.0, 500.0);
}

TEST_F(ShippedFiles, EveryGpuIsPlausible) {
  ASSERT_GE(catalog_->gpus().size(), 36U);
  for (const run::CatalogEntry& entry : catalog_->gpus()) {
    SCOPED_TRACE(entry.name);
    Diagnostics out;
    const auto gpu = catalog_->gpu(entry.name, out);
    ASSERT_TRUE(gpu.has_value()) << all_messages(out);
    EXPECT_EQ(gpu->name, entry.name);
    EXPECT_TRUE(catalog_->nccl_tuning(gpu->architecture, "", out).has_value()) << all_messages(out);
    expect_within(gpu->driver_memory, gigabytes(10), gigabytes(400));
    expect_within(gpu->hbm.gb_per_second(), 250.0, 10'000.0);
    expect_within(gpu->hbm_efficiency, 0.7, 1.0);
    expect_within(gpu->sm_count, 48, 320);
    expect_within(gpu->gemm_efficiency, 0.5, 1.0);
    expect_within(gpu->attention_efficiency, 0.2, 1.0);
    expect_within(gpu->kernel_floor, microseconds(1), microseconds(10));
    expect_within(gpu->launch_latency, microseconds(1), microseconds(20));
    expect_within(gpu->context, mebibytes(200), gigabytes(2));
    expect_within(gpu->cublas_workspace, mebibytes(1), mebibytes(128));
    expect_within(gpu->nccl_base, mebibytes(100), gigabytes(2));
    expect_plausible_peaks(*gpu);
  }
}

TEST_F(ShippedFiles, EveryLinkIsPlausible) {
  const DataFolder folder(source_path("hw_models"));
  for (const std::string& name : folder.names("links")) {
    SCOPED_TRACE(name);
    Diagnostics out;
    const auto link = read_link(folder.read("links", name), out);
    ASSERT_TRUE(link.has_value()) << all_messages(out);
    expect_within(link->payload_rate.gb_per_second(), 1.0, 500.0);
    expect_within(link->latency, nanoseconds(10), microseconds(5));
    if (link->line_rate) {
      EXPECT_GE(scale(link->payload_rate, 1.4), *link->line_rate);
    }
  }
}

fabric::DeviceId cpu_of(const fabric::Fabric& node, fabric::DeviceId gpu) {
  for (std::size_t i = 0; i < node.devices().size(); ++i) {
    const fabric::Device& device = node.devices()[i];
    if (device.kind == fabric::DeviceKind::kCpu && device.socket == node.device(gpu).socket) {
      return fabric::DeviceId(static_cast<std::uint32_t>(i));
    }
  }
  return gpu;
}

/// Not so in different trays of one NVLink domain.
bool share_a_host(const fabric::Fabric& node, fabric::DeviceId a, fabric::DeviceId b) {
  const fabric::DeviceId from = cpu_of(node, a);
  const fabric::DeviceId to = cpu_of(node, b);
  return from == to || !node.route(from, to, fabric::RouteKind::kHostStaged).empty();
}

TEST_F(ShippedFiles, EveryNodeFreezesAndConnectsAllPairs) {
  ASSERT_GE(catalog_->nodes().size(), 50U);
  for (const run::CatalogEntry& entry : catalog_->nodes()) {
    SCOPED_TRACE(entry.name);
    Diagnostics out;
    const auto node = catalog_->node(entry.name, out);
    ASSERT_TRUE(node.has_value()) << all_messages(out);
    EXPECT_EQ(node->name(), entry.name);
    EXPECT_TRUE(catalog_->gpu(node->gpu_model(), out).has_value()) << all_messages(out);
    for (const fabric::DeviceId a : node->gpus()) {
      for (const fabric::DeviceId b : node->gpus()) {
        if (a == b) continue;
        EXPECT_FALSE(node->route(a, b, fabric::RouteKind::kPeer).empty());
        if (share_a_host(*node, a, b)) {
          EXPECT_FALSE(node->route(a, b, fabric::RouteKind::kHostStaged).empty());
        }
      }
    }
  }
}

TEST_F(ShippedFiles, EveryNodeWithANetworkMakesAPair) {
  const DataFolder folder(source_path("hw_models"));
  for (const run::CatalogEntry& entry : catalog_->nodes()) {
    SCOPED_TRACE(entry.name);
    Diagnostics out;
    const auto node = read_node(folder.read("nodes", entry.name), out);
    ASSERT_TRUE(node.has_value());
    if (node->network.empty()) continue;
    EXPECT_TRUE(catalog_->cluster(entry.name, 2, "", out).has_value()) << all_messages(out);
  }
}

TEST_F(ShippedFiles, CommunicationParametersArePlausible) {
  for (const run::CatalogEntry& entry : catalog_->nodes()) {
    SCOPED_TRACE(entry.name);
    Diagnostics out;
    const auto node = catalog_->node(entry.name, out);
    ASSERT_TRUE(node.has_value());
    const fabric::CommParameters& comm = node->comm();
    expect_within(comm.ring_efficiency, 0.7, 1.0);
    expect_within(comm.pcie_ring_efficiency, 0.5, 1.0);
    if (comm.nvls_efficiency) expect_within(*comm.nvls_efficiency, 0.6, 1.0);
    expect_within(comm.host_staging.ctas, 1, 32);
    EXPECT_GE(comm.host_staging.per_cta_same_socket, comm.host_staging.per_cta_cross_socket);
  }
}

/// GB/s that a GPU sends over all its NVLinks or xGMI links.
double nvlink_port(const fabric::Fabric& node, std::size_t gpu) {
  double sum = 0;
  for (const fabric::LinkId id : node.out_links(node.gpus()[gpu])) {
    if (node.link(id).kind == fabric::LinkKind::kNvlink) {
      sum += node.link(id).capacity.gb_per_second();
    }
  }
  return sum;
}

TEST_F(ShippedFiles, PortsAreThoseOfTheDatasheets) {
  // Links x payload per link: 4 x 18, 6 x 22.5, 12 x 20, 18 x 20.6, 18 x 40.1, 7 x 48.
  const std::map<std::string, double> ports{
      {"DGX-1-P100", 72},    {"DGX-1-V100", 135},    {"azure-ndv2", 135},       {"DGX-2", 135},
      {"DGX-A100", 240},     {"DGX-H100", 370.8},    {"4xH100-SXM", 370.8},     {"HGX-B200", 721.8},
      {"8xMI300X", 336},     {"GB200-NVL72", 721.8}, {"AC922", 67.5},           {"8xA800-SXM", 160},
      {"2xH100-NVL", 247.2}, {"8xA40", 48},          {"leonardo-booster", 240}, {"8xL40S", 0}};
  for (const auto& [name, port] : ports) {
    SCOPED_TRACE(name);
    Diagnostics out;
    const auto node = catalog_->node(name, out);
    ASSERT_TRUE(node.has_value()) << all_messages(out);
    for (std::size_t i = 0; i < node->gpus().size(); ++i)
      EXPECT_NEAR(nvlink_port(*node, i), port, 1e-6);
  }
}

TEST_F(ShippedFiles, AnNvl72DomainIsOneSwitchOfEighteenTrays) {
  Diagnostics out;
  const auto node = catalog_->node("GB200-NVL72", out);
  ASSERT_TRUE(node.has_value()) << all_messages(out);
  EXPECT_EQ(node->gpus().size(), 72U);
  EXPECT_EQ(node->node_nics(0).size(), 72U);
  const auto link = read_link(shipped("links", "nvlink5"), out);
  ASSERT_TRUE(link && link->line_rate);
  // 72 GPUs x 18 links x 50 GB/s = 64.8 TB/s per direction; the datasheet prints 130 both ways.
  EXPECT_EQ(*link->line_rate * (18 * 72), (Bandwidth{64'800'000'000'000}));
  EXPECT_TRUE(share_a_host(*node, node->gpus()[0], node->gpus()[3]));
  EXPECT_FALSE(share_a_host(*node, node->gpus()[3], node->gpus()[4]));
}

TEST_F(ShippedFiles, EveryOverlayReads) {
  const DataFolder folder(source_path("hw_models"));
  for (const std::string& name : folder.names("overlays")) {
    SCOPED_TRACE(name);
    Diagnostics out;
    EXPECT_TRUE(read_overlay(folder.read("overlays", name), out)) << all_messages(out);
  }
}

TEST_F(ShippedFiles, EverySoftwareReadsAndNamesKnownGpus) {
  const DataFolder folder(source_path("hw_models"));
  const std::vector<std::string> gpus = folder.names("gpus");
  for (const std::string& name : folder.names("software")) {
    SCOPED_TRACE(name);
    Diagnostics out;
    const auto software = read_software(folder.read("software", name), out);
    ASSERT_TRUE(software) << all_messages(out);
    for (const auto& [gpu, shares] : software->gpus) {
      EXPECT_TRUE(std::find(gpus.begin(), gpus.end(), gpu) != gpus.end()) << gpu;
    }
  }
}

TEST_F(ShippedFiles, NamesAreUniqueWithoutRegardToSection) {
  const DataFolder folder(source_path("hw_models"));
  std::set<std::string> seen;
  for (const char* section : {"comm", "gpus", "links", "nccl", "nodes", "overlays", "software"}) {
    for (const std::string& name : folder.names(section)) {
      EXPECT_TRUE(seen.insert(name).second) << name;
    }
  }
}

TEST_F(ShippedFiles, EveryGpuSaysWhatItDrawsAndHowSureItsSpeedIs) {
  for (const run::CatalogEntry& entry : catalog_->gpus()) {
    SCOPED_TRACE(entry.name);
    const run::GpuFacts facts = catalog_->gpu_facts(entry.name);
    ASSERT_TRUE(facts.power.busy && facts.power.idle);
    expect_within(*facts.power.busy, 50.0, 1500.0);
    expect_within(*facts.power.idle / *facts.power.busy, 0.02, 0.3);
    EXPECT_NE(facts.power.origin.find("busy, "), std::string::npos);
    std::set<std::string> keys;
    for (const run::ValueSigma& value : facts.sigmas) {
      keys.insert(value.key);
      expect_within(value.sigma, 0.001, 1.0);
    }
    EXPECT_TRUE(keys.contains("gemm_efficiency"));
    EXPECT_TRUE(keys.contains("kernel_floor"));
  }
  EXPECT_TRUE(catalog_->gpu_facts("no such GPU").sigmas.empty());
}

}  // namespace
}  // namespace heddle::hw_models
