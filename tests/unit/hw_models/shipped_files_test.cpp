// Walks the hardware folder: whatever is added there is checked without a new test.

#include <gtest/gtest.h>

#include <set>

#include "hw_models/catalog.h"
#include "hw_models/data_folder.h"
#include "hw_models/link_reader.h"
#include "hw_models/node_reader.h"
#include "hw_models/overlay.h"
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

TEST_F(ShippedFiles, EveryGpuIsPlausible) {
  ASSERT_GE(catalog_->gpus().size(), 5U);
  for (const run::CatalogEntry& entry : catalog_->gpus()) {
    SCOPED_TRACE(entry.name);
    Diagnostics out;
    const auto gpu = catalog_->gpu(entry.name, out);
    ASSERT_TRUE(gpu.has_value()) << all_messages(out);
    EXPECT_EQ(gpu->name, entry.name);
    EXPECT_TRUE(catalog_->nccl_tuning(gpu->architecture, "", out).has_value()) << all_messages(out);
    expect_within(gpu->driver_memory, gigabytes(8), gigabytes(400));
    expect_within(gpu->hbm.gb_per_second(), 500.0, 10'000.0);
    expect_within(gpu->hbm_efficiency, 0.7, 1.0);
    expect_within(gpu->sm_count, 50, 200);
    expect_within(gpu->gemm_efficiency, 0.5, 1.0);
    expect_within(gpu->attention_efficiency, 0.2, 1.0);
    expect_within(gpu->kernel_floor, microseconds(1), microseconds(10));
    expect_within(gpu->launch_latency, microseconds(1), microseconds(20));
    expect_within(gpu->context, mebibytes(200), gigabytes(2));
    expect_within(gpu->cublas_workspace, mebibytes(1), mebibytes(64));
    expect_within(gpu->nccl_base, mebibytes(100), gigabytes(2));
    const auto bf16 = gpu->peak_of(schedule::DType::kBFloat16);
    EXPECT_EQ(bf16, gpu->peak_of(schedule::DType::kFloat16));
    // Tensor cores run tf32 at half the rate of bf16; fp32 has none.
    const auto tf32 = gpu->peak_of(schedule::DType::kTensorFloat32);
    EXPECT_NEAR(bf16.flops_per_second / tf32.flops_per_second, 2, 0.01);
    EXPECT_LT(gpu->peak_of(schedule::DType::kFloat32), tf32);
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

TEST_F(ShippedFiles, EveryNodeFreezesAndConnectsAllPairs) {
  ASSERT_GE(catalog_->nodes().size(), 5U);
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
        EXPECT_FALSE(node->route(a, b, fabric::RouteKind::kHostStaged).empty());
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

TEST_F(ShippedFiles, EveryOverlayReads) {
  const DataFolder folder(source_path("hw_models"));
  for (const std::string& name : folder.names("overlays")) {
    SCOPED_TRACE(name);
    Diagnostics out;
    EXPECT_TRUE(read_overlay(folder.read("overlays", name), out)) << all_messages(out);
  }
}

TEST_F(ShippedFiles, NamesAreUniqueWithoutRegardToSection) {
  const DataFolder folder(source_path("hw_models"));
  std::set<std::string> seen;
  for (const char* section : {"comm", "gpus", "links", "nccl", "nodes", "overlays"}) {
    for (const std::string& name : folder.names(section)) {
      EXPECT_TRUE(seen.insert(name).second) << name;
    }
  }
}

}  // namespace
}  // namespace heddle::hw_models
