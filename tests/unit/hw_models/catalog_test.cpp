#include "hw_models/catalog.h"

#include <gtest/gtest.h>

#include "sim/base/error.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

using fabric::DeviceId;
using fabric::Fabric;
using fabric::RouteKind;

class Catalog : public testing::Test {
 protected:
  Fabric node(const std::string& name) const {
    Diagnostics out;
    auto found = catalog_->node(name, out);
    EXPECT_TRUE(found.has_value()) << name;
    return std::move(*found);
  }

  /// What collectives achieve on a machine of which some values were found.
  fabric::CommParameters found(const std::string& name, const std::string& overlay) const {
    Diagnostics out;
    const auto comm = catalog_->overlaid(node(name).comm(), {overlay, std::nullopt}, out);
    EXPECT_TRUE(comm.has_value()) << overlay;
    return comm.value_or(fabric::CommParameters{});
  }

  const std::unique_ptr<run::HardwareCatalog> catalog_ = open_catalog(source_path("hw_models"));
};

/// Smallest capacity on the way, GB/s.
double width(const Fabric& f, int a, int b, RouteKind kind = RouteKind::kPeer) {
  double least = 1e9;
  for (const fabric::LinkId id : f.route(f.gpus()[static_cast<std::size_t>(a)],
                                         f.gpus()[static_cast<std::size_t>(b)], kind)) {
    least = std::min(least, f.link(id).capacity.gb_per_second());
  }
  return least;
}

std::string_view type(const Fabric& f, int a, int b) {
  return to_string(
      f.path_type(f.gpus()[static_cast<std::size_t>(a)], f.gpus()[static_cast<std::size_t>(b)]));
}

TEST_F(Catalog, WiresTheNvswitchNode) {
  const Fabric f = node("8xH200-SXM");
  ASSERT_EQ(f.gpus().size(), 8U);
  EXPECT_EQ(type(f, 0, 7), "NVL");
  EXPECT_DOUBLE_EQ(width(f, 0, 7), 370.8);  // 18 links x 20.6
  EXPECT_EQ(f.route(f.gpus()[0], f.gpus()[7], RouteKind::kPeer).size(), 2U);
  EXPECT_DOUBLE_EQ(width(f, 0, 1, RouteKind::kHostStaged), 55.0);  // PCIe Gen5
  EXPECT_DOUBLE_EQ(width(f, 0, 7, RouteKind::kHostStaged), 40.0);  // between sockets
  EXPECT_TRUE(f.comm().nvls_efficiency.has_value());
}

TEST_F(Catalog, WiresTwoQuads) {
  const Fabric f = node("8xH200-NVL");
  EXPECT_EQ(type(f, 0, 3), "NVL");
  EXPECT_DOUBLE_EQ(width(f, 0, 3), 123.6);  // 6 links x 20.6
  EXPECT_EQ(type(f, 3, 4), "SYS");
  EXPECT_DOUBLE_EQ(width(f, 3, 4), 40.0);
  EXPECT_FALSE(f.comm().nvls_efficiency.has_value());
}

TEST_F(Catalog, WiresTheSmallA100Node) {
  const Fabric f = node("4xA100-SXM-80GB");
  EXPECT_EQ(type(f, 1, 2), "NVL");
  EXPECT_DOUBLE_EQ(width(f, 1, 2), 80.0);  // 4 links x 20
}

TEST_F(Catalog, WiresACubeMeshPairByPair) {
  const Fabric f = node("DGX-1-V100");
  EXPECT_DOUBLE_EQ(width(f, 0, 1), 22.5);  // NV1
  EXPECT_DOUBLE_EQ(width(f, 0, 4), 45.0);  // NV2
  EXPECT_DOUBLE_EQ(width(f, 4, 0), 45.0);
  EXPECT_EQ(type(f, 0, 4), "NVL");
  EXPECT_EQ(type(f, 0, 5), "NVB");  // through GPU 1 or 4
}

TEST_F(Catalog, CalibratedParametersMeetTheirMeasurements) {
  // Equations of sim/collective/README.md; measured all-reduce bus bandwidths, GB/s.
  const auto sxm = found("8xH200-SXM", "founding-h200-sxm");
  EXPECT_NEAR(sxm.ring_efficiency * 370.8, 330, 0.05 * 330);
  EXPECT_NEAR(*sxm.nvls_efficiency * 370.8 * 2 * 7 / 9, 467, 0.05 * 467);
  const double same = sxm.host_staging.ctas * sxm.host_staging.per_cta_same_socket.gb_per_second();
  EXPECT_NEAR(330 / (same * 2 / 3), 10.5, 0.5);
  const auto nvl = found("8xH200-NVL", "founding-h200-nvl");
  EXPECT_NEAR(nvl.ring_efficiency * 123.6, 114, 0.05 * 114);
  EXPECT_NEAR(nvl.ring_efficiency * 370.8, 322, 0.05 * 322);
  const double cross =
      nvl.host_staging.ctas * nvl.host_staging.per_cta_cross_socket.gb_per_second();
  EXPECT_NEAR(cross * 2 / 3, 28, 0.05 * 28);
  EXPECT_NEAR(cross * 6 / 7, 35, 0.05 * 35);
  EXPECT_NEAR(cross * 14 / 15, 39, 0.05 * 39);
}

TEST_F(Catalog, OverlaysReplaceOnlyWhatTheyName) {
  const auto prior = node("8xH200-SXM").comm();
  const auto comm = found("8xH200-SXM", "founding-h200-sxm");
  EXPECT_DOUBLE_EQ(prior.ring_efficiency, 0.95);
  EXPECT_DOUBLE_EQ(comm.ring_efficiency, 0.89);
  EXPECT_EQ(comm.pcie_ring_efficiency, prior.pcie_ring_efficiency);
  EXPECT_EQ(comm.host_staging.ctas, prior.host_staging.ctas);
}

TEST_F(Catalog, RefusesTheOverlayOfAnotherKindOfMachine) {
  Diagnostics out;
  EXPECT_FALSE(catalog_->overlaid(node("8xH200-NVL").comm(), {"founding-h200-sxm", {}}, out));
  EXPECT_TRUE(has_code(out, "overlay-nvls"));
}

TEST_F(Catalog, AUsersOverlayMayHaveAnyName) {
  const std::string text = read_source_file("hw_models/overlays/founding-h200-nvl.json");
  Diagnostics out;
  const auto comm = catalog_->overlaid(node("8xH200-NVL").comm(), {"my.json", text}, out);
  ASSERT_TRUE(comm.has_value());
  EXPECT_DOUBLE_EQ(comm->ring_efficiency, 0.895);
}

TEST_F(Catalog, SuggestsNames) {
  Diagnostics out;
  EXPECT_FALSE(catalog_->overlaid({}, {"founding-h200-sxn", {}}, out));
  out = {};
  EXPECT_FALSE(catalog_->gpu("H200-SXM-141Gb", out).has_value());
  EXPECT_FALSE(catalog_->node("../gpus/H200-SXM-141GB", out).has_value());
  ASSERT_EQ(out.all().size(), 2U);
  EXPECT_EQ(out.all()[0].code, "unknown-name");
  EXPECT_NE(out.all()[0].hint.find("did you mean"), std::string::npos);
}

TEST_F(Catalog, HashesContentNotTime) {
  EXPECT_EQ(catalog_->content_hash(), open_catalog(source_path("hw_models"))->content_hash());
}

TEST(CatalogFolder, MissingFolderIsAnEnvironmentError) {
  const auto catalog = open_catalog(source_path("no such folder"));
  EXPECT_THROW(catalog->gpus(), Error);
  EXPECT_THROW(catalog->content_hash(), Error);
}

}  // namespace
}  // namespace heddle::hw_models
