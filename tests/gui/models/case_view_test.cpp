#include "gui/models/case_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gui/models/bundle_load.h"
#include "gui/models/fabric_layout.h"
#include "gui/models/lane_times.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

using testing::SizeIs;

class FoundingCases : public testing::Test {
 protected:
  std::shared_ptr<const CaseView> view(const std::string& id) {
    const auto& cases = founding_.document.results()->cases;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].case_id == id) return founding_.document.view(i);
    }
    return nullptr;
  }
  test::FoundingDocument founding_{"mistral-7b-4xh200.json"};
};

TEST_F(FoundingCases, BoxesOfALaneAreSortedAndDisjoint) {
  for (std::size_t i = 0; i < founding_.document.results()->cases.size(); ++i) {
    for (const Lane& lane : founding_.document.view(i)->lanes()) {
      std::int64_t end = 0;
      for (const LaneBox& box : lane.index.boxes()) {
        ASSERT_GE(box.start, end) << lane.name;
        ASSERT_GT(box.end, box.start);
        end = box.end;
      }
    }
  }
}

TEST_F(FoundingCases, ComputeLaneIsBusyAsLongAsTheAccountsSay) {
  for (std::size_t i = 0; i < founding_.document.results()->cases.size(); ++i) {
    const auto view = founding_.document.view(i);
    EXPECT_EQ(busy_time(view->compute_lane()->index, view->last_step()),
              view->result().accounting.compute.ps)
        << view->result().case_id;
  }
}

/// FSDP across the quads waits for its gathers; what is drawn as waiting is what the accounts call
/// exposed, up to the launches between.
TEST_F(FoundingCases, WaitsAreTheExposedCommunication) {
  const auto fsdp = view("across-quads/fsdp");
  PaintTimes times{};
  std::size_t from = 0;
  const Span step = fsdp->last_step();
  times = fsdp->compute_lane()->index.busy(std::llround(step.begin), std::llround(step.end), from);
  const auto exposed = static_cast<double>(fsdp->result().accounting.exposed_comm.ps);
  EXPECT_NEAR(static_cast<double>(times[static_cast<std::size_t>(Paint::kWait)]) / exposed, 1,
              0.02);
}

TEST_F(FoundingCases, BusiestLinksCrossTheQuads) {
  const auto fsdp = view("across-quads/fsdp");
  const auto links = busiest_links(*fsdp, 3);
  ASSERT_FALSE(links.empty());
  const fabric::Link& first = fsdp->fabric().link(links.front());
  EXPECT_EQ(first.kind, fabric::LinkKind::kCpuInterconnect);
}

TEST_F(FoundingCases, ABundleCarriesTheSumOfItsLinks) {
  const auto fsdp = view("nvswitch/fsdp");
  const double middle = (fsdp->last_step().begin + fsdp->last_step().end) / 2;
  const std::vector<fabric::LinkId> all{fabric::LinkId(0), fabric::LinkId(1)};
  const BundleLoad both = bundle_load(*fsdp, all, middle);
  const BundleLoad a = bundle_load(*fsdp, {all[0]}, middle);
  const BundleLoad b = bundle_load(*fsdp, {all[1]}, middle);
  EXPECT_DOUBLE_EQ(both.load, a.load + b.load);
  EXPECT_DOUBLE_EQ(both.capacity, a.capacity + b.capacity);
}

TEST_F(FoundingCases, MeanLoadsAreTheBytesThatTheRunCounted) {
  const auto ddp = view("nvswitch/ddp");
  const double seconds = ddp->last_step().length() * 1e-12;
  for (std::size_t l = 0; l < ddp->fabric().links().size(); ++l) {
    const fabric::LinkId link(l);
    const auto capacity = static_cast<double>(ddp->fabric().link(link).capacity.bytes_per_second);
    const double moved = ddp->links().mean_share(link, ddp->last_step()) * capacity * seconds;
    const auto counted = static_cast<double>(ddp->result().run.link_bytes[l].value);
    EXPECT_NEAR(moved, counted, 1e-6 * counted + 1e6) << ddp->fabric().link_name(link);
  }
}

/// Devices apart, every link in one bundle, in its direction.
void check_layout(const fabric::Fabric& fabric, const FabricLayout& layout) {
  std::size_t links = 0;
  for (const FabricBundle& bundle : layout.bundles) {
    links += bundle.there.size() + bundle.back.size();
    for (const fabric::LinkId link : bundle.there) {
      EXPECT_EQ(fabric.link(link).from, layout.vertices[bundle.a].device);
    }
  }
  EXPECT_EQ(links, fabric.links().size());
  for (std::size_t i = 0; i < layout.vertices.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const FabricVertex& a = layout.vertices[i];
      const FabricVertex& b = layout.vertices[j];
      EXPECT_TRUE(a.y != b.y || std::abs(a.x - b.x) > 0.2)
          << fabric.device(a.device).name << " on " << fabric.device(b.device).name;
    }
  }
}

TEST_F(FoundingCases, LayoutKeepsDevicesApart) {
  for (const char* id : {"nvswitch/ddp", "across-quads/ddp"}) {
    const fabric::Fabric& fabric = view(id)->fabric();
    const FabricLayout layout = lay_out(fabric, false);
    EXPECT_THAT(layout.vertices, SizeIs(fabric.devices().size()));
    check_layout(fabric, layout);
  }
}

TEST(FabricLayout, EveryNodePresetIsDrawnWhole) {
  const auto catalog = hw_models::open_catalog(test::source_path("hw_models"));
  for (const run::CatalogEntry& entry : catalog->nodes()) {
    SCOPED_TRACE(entry.name);
    Diagnostics out;
    const auto fabric = catalog->node(entry.name, out);
    ASSERT_TRUE(fabric);
    const FabricLayout layout = lay_out(*fabric, false);
    EXPECT_THAT(layout.vertices, SizeIs(fabric->devices().size()));
    check_layout(*fabric, layout);
  }
}

TEST(FabricLayout, ACollapsedClusterIsMachinesAndSwitches) {
  const auto catalog = hw_models::open_catalog(test::source_path("hw_models"));
  Diagnostics out;
  const auto fabric = catalog->cluster("8xH200-SXM", 128, "ib-ndr-rail", out);
  ASSERT_TRUE(fabric);
  const FabricLayout layout = lay_out(*fabric, true);
  std::size_t switches = 0;
  for (const fabric::Device& device : fabric->devices()) {
    switches += device.kind == fabric::DeviceKind::kNetSwitch ? 1 : 0;
  }
  EXPECT_THAT(layout.vertices, SizeIs(128 + switches));
}

}  // namespace
}  // namespace heddle::gui
