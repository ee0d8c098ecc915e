#include "sim/fabric/change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/fabric/machines.h"

namespace heddle::fabric {
namespace {

using ::testing::HasSubstr;

/// gpu0 - gpu3 and gpu3 - gpu4 bridged; gpu0 and gpu1 below pcie0.
Fabric base() {
  Diagnostics out;
  return *two_sockets().freeze("test", out);
}

std::optional<Fabric> changed(std::vector<Change> changes, Diagnostics& out) {
  return with_changes(base(), changes, "x.json", out);
}

DeviceId device(const Fabric& fabric, const std::string& name) {
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    if (fabric.devices()[i].name == name) return DeviceId(i);
  }
  return {};
}

/// Capacities of the links from `a` to `b`, GB/s.
std::vector<std::int64_t> between(const Fabric& fabric, const std::string& a,
                                  const std::string& b) {
  std::vector<std::int64_t> found;
  for (const LinkId id : fabric.out_links(device(fabric, a))) {
    const Link& link = fabric.link(id);
    if (link.to == device(fabric, b)) found.push_back(link.capacity.bytes_per_second / 1'000'000);
  }
  return found;
}

using Rates = std::vector<std::int64_t>;

TEST(Change, ALinkDownIsGoneBothWaysOrOne) {
  Diagnostics out;
  const auto both = changed({{LinkDown{"gpu3 - gpu0"}, ""}}, out);
  ASSERT_TRUE(both);
  EXPECT_EQ(between(*both, "gpu0", "gpu3"), Rates{});
  EXPECT_EQ(between(*both, "gpu3", "gpu0"), Rates{});
  // Without the bridge the way is PCIe through cpu0: a host bridge.
  EXPECT_EQ(both->path_type(device(*both, "gpu0"), device(*both, "gpu3")), PathType::kPhb);
  const auto one = changed({{LinkDown{"gpu3 -> gpu0"}, ""}}, out);
  ASSERT_TRUE(one);
  EXPECT_EQ(between(*one, "gpu0", "gpu3"), Rates{100'000});
  EXPECT_EQ(between(*one, "gpu3", "gpu0"), Rates{});
}

// 100 GB/s at 50 % and again at 50 %; the other direction at 12.5 GB/s.
TEST(Change, CapacitiesCompoundInOrder) {
  Diagnostics out;
  const auto fabric = changed({{LinkCapacity{"gpu0 - gpu3", kPpb / 2}, ""},
                               {LinkCapacity{"gpu0 -> gpu3", kPpb / 2}, ""},
                               {LinkCapacity{"gpu3 -> gpu0", Bandwidth{12'500'000'000}}, ""}},
                              out);
  ASSERT_TRUE(fabric);
  EXPECT_EQ(between(*fabric, "gpu0", "gpu3"), Rates{25'000});
  EXPECT_EQ(between(*fabric, "gpu3", "gpu0"), Rates{12'500});
  EXPECT_EQ(between(*fabric, "gpu3", "gpu4"), Rates{100'000});
}

TEST(Change, SeveralLinksBetweenTwoDevicesAreAllMeant) {
  FabricBuilder builder = two_sockets();
  const DeviceId gpu0{std::size_t{0}};
  const DeviceId gpu3{std::size_t{3}};
  join(builder, gpu0, gpu3, LinkKind::kNvlink, 40);
  Diagnostics out;
  const Fabric fabric = *std::move(builder).freeze("test", out);
  const std::vector<Change> half{{LinkCapacity{"gpu0 -> gpu3", kPpb / 2}, ""}};
  EXPECT_EQ(between(*with_changes(fabric, half, "", out), "gpu0", "gpu3"), (Rates{50'000, 20'000}));
}

TEST(Change, NvlinkOffOfAllOrOfOneGpu) {
  Diagnostics out;
  const auto all = changed({{NvlinkOff{""}, ""}}, out);
  for (const Link& link : all->links()) EXPECT_NE(link.kind, LinkKind::kNvlink);
  const auto one = changed({{NvlinkOff{"0"}, ""}}, out);
  EXPECT_EQ(between(*one, "gpu0", "gpu3"), Rates{});
  EXPECT_EQ(between(*one, "gpu3", "gpu4"), Rates{100'000});
}

TEST(Change, SlowGpusChangeNoLink) {
  Diagnostics out;
  const std::vector<Change> slow{{SlowGpu{"3", 800'000'000}, ""},
                                 {SlowGpu{"gpu3", 500'000'000}, ""}};
  const auto fabric = changed(slow, out);
  ASSERT_TRUE(fabric);
  EXPECT_EQ(fabric->links().size(), base().links().size());
  std::vector<std::int64_t> speeds;
  for (const DeviceId gpu : fabric->gpus()) {
    speeds.push_back(gpu_speeds(*fabric, slow)[gpu.index()]);
  }
  EXPECT_EQ(speeds, (std::vector<std::int64_t>{kPpb, kPpb, kPpb, 400'000'000, kPpb}));
}

struct Refused {
  Change change;
  const char* code;
  const char* hint;
};

TEST(Change, RefusesWhatIsNotThereAllAtOnce) {
  const std::vector<Refused> cases{
      {{LinkDown{"gpu0 - gpu33"}, "/0"}, "unknown-device", "gpu3"},
      {{LinkDown{"gpu0 - gpu1"}, "/1"}, "unknown-link", "gpu0 is joined to pcie0, gpu3"},
      {{LinkDown{"gpu0"}, "/2"}, "bad-link", "gpu0 - gpu1"},
      {{NvlinkOff{"gpu1"}, "/3"}, "no-nvlink", "remove"},
      {{SlowGpu{"9", 1}, "/4"}, "unknown-gpu", "0 to 4"},
      {{SlowGpu{"cpu0", 1}, "/5"}, "unknown-gpu", "gpu0"}};
  std::vector<Change> changes;
  for (const Refused& one : cases) changes.push_back(one.change);
  Diagnostics out;
  EXPECT_FALSE(changed(changes, out));
  ASSERT_EQ(out.all().size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(out.all()[i].code, cases[i].code);
    EXPECT_EQ(out.all()[i].pointer, cases[i].change.pointer);
    EXPECT_EQ(out.all()[i].file, "x.json");
    EXPECT_THAT(out.all()[i].hint, HasSubstr(cases[i].hint));
  }
}

TEST(Change, RefusesALinkThatIsDownAlready) {
  Diagnostics out;
  EXPECT_FALSE(changed({{NvlinkOff{""}, "/0"}, {LinkDown{"gpu0 - gpu3"}, "/1"}}, out));
  ASSERT_EQ(out.all().size(), 1U);
  EXPECT_EQ(out.all()[0].code, "link-is-down");
  EXPECT_EQ(out.all()[0].pointer, "/1");
}

TEST(Change, TextsNameTheWhatIf) {
  EXPECT_EQ(to_text({LinkDown{"gpu0 - gpu1"}, ""}), "gpu0 - gpu1 down");
  EXPECT_EQ(to_text({LinkCapacity{"a -> b", 333'000'000}, ""}), "a -> b at 33.3 %");
  EXPECT_EQ(to_text({LinkCapacity{"a -> b", Bandwidth{12'500'000'000}}, ""}),
            "a -> b at 12.50 GB/s");
  EXPECT_EQ(to_text({NvlinkOff{""}, ""}), "NVLink off");
  EXPECT_EQ(to_text({NvlinkOff{"3"}, ""}), "NVLink of GPU 3 off");
  EXPECT_EQ(to_text({SlowGpu{"n1/gpu3", 800'000'000}, ""}), "n1/gpu3 at 80 % speed");
}

}  // namespace
}  // namespace heddle::fabric
