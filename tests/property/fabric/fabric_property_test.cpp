// What holds for the routes of every cluster.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/property/fabric/random_cluster.h"
#include "tests/support/seeds.h"
#include "tests/support/shuffle.h"

namespace heddle::fabric {
namespace {

using test::for_each_seed;

/// GPUs, CPUs and NICs by name.
std::map<std::string, DeviceId> endpoints(const Fabric& f) {
  std::map<std::string, DeviceId> found;
  for (std::size_t i = 0; i < f.devices().size(); ++i) {
    const DeviceKind kind = f.devices()[i].kind;
    if (kind == DeviceKind::kGpu || kind == DeviceKind::kCpu || kind == DeviceKind::kNic) {
      found[f.devices()[i].name] = DeviceId(i);
    }
  }
  return found;
}

constexpr RouteKind kKinds[] = {RouteKind::kPeer, RouteKind::kHostStaged};

/// The links of a route, as names and properties.
template <typename Links>
std::string text_of(const Fabric& f, const Links& links) {
  std::string text;
  for (const LinkId id : links) {
    const Link& link = f.link(id);
    text += f.link_name(id) + " " + std::to_string(link.capacity.bytes_per_second) + "; ";
  }
  return text;
}

/// Everything routes say, by names.
std::string all_routes(const Fabric& f) {
  std::string text;
  const auto ends = endpoints(f);
  for (const auto& [from, a] : ends) {
    for (const auto& [to, b] : ends) {
      text += from + " " + to + " " + std::string(to_string(f.path_type(a, b))) + ": ";
      for (const RouteKind kind : kKinds) text += text_of(f, f.route(a, b, kind)) + "| ";
      text += text_of(f, f.network_route(a, b)) + "\n";
    }
  }
  return text;
}

/// What a route costs: hops and its narrowest link.
template <typename Links>
std::pair<std::size_t, std::int64_t> cost_of(const Fabric& f, const Links& links) {
  std::int64_t narrowest = 0;
  for (const LinkId id : links) {
    const std::int64_t capacity = f.link(id).capacity.bytes_per_second;
    narrowest = narrowest == 0 ? capacity : std::min(narrowest, capacity);
  }
  return {links.size(), narrowest};
}

TEST(FabricProperty, RenumberingMachinesChangesNoRoute) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Plan plan = random_plan(rng);
    const Fabric plain = build(plan);
    const Fabric renamed = build(
        renumbered(plan, test::random_permutation(static_cast<std::size_t>(plan.nodes), rng)));
    EXPECT_EQ(all_routes(plain), all_routes(renamed));
  });
}

TEST(FabricProperty, TheOrderOfDevicesAndCablesChangesNoCost) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Plan plan = random_plan(rng);
    const Fabric plain = build(plan);
    const Fabric other = build(shuffled(plan, rng));
    const auto others = endpoints(other);
    for (const auto& [from, a] : endpoints(plain)) {
      for (const auto& [to, b] : endpoints(plain)) {
        EXPECT_EQ(plain.path_type(a, b), other.path_type(others.at(from), others.at(to)));
        for (const RouteKind kind : kKinds) {
          EXPECT_EQ(cost_of(plain, plain.route(a, b, kind)),
                    cost_of(other, other.route(others.at(from), others.at(to), kind)));
        }
        // The only way there is: the same links.
        EXPECT_EQ(text_of(plain, plain.network_route(a, b)),
                  text_of(other, other.network_route(others.at(from), others.at(to))));
      }
    }
  });
}

/// Links on any route.
std::set<LinkId> used_links(const Fabric& f) {
  std::set<LinkId> used;
  const auto ends = endpoints(f);
  for (const auto& [from, a] : ends) {
    for (const auto& [to, b] : ends) {
      for (const RouteKind kind : kKinds) {
        for (const LinkId id : f.route(a, b, kind)) used.insert(id);
      }
      for (const LinkId id : f.network_route(a, b)) used.insert(id);
    }
  }
  return used;
}

TEST(FabricProperty, RemovingAnUnusedCableChangesNothing) {
  int removed = 0;
  for_each_seed([&removed](std::uint64_t seed) {
    Rng rng(seed);
    const Plan plan = random_plan(rng);
    const Fabric f = build(plan);
    const std::set<LinkId> used = used_links(f);
    for (std::size_t i = 0; i < plan.cables.size(); ++i) {
      // Cable i is links 2 i and 2 i + 1.
      if (used.contains(LinkId(2 * i)) || used.contains(LinkId(2 * i + 1))) continue;
      Plan without = plan;
      without.cables.erase(without.cables.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_EQ(all_routes(f), all_routes(build(without)));
      ++removed;
      return;
    }
  });
  EXPECT_GT(removed, 10);
}

TEST(FabricProperty, EveryPairOfNicsHasARouteThatIsAlikeBothWays) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Fabric f = build(random_plan(rng));
    std::vector<DeviceId> nics;
    for (int n = 0; n < f.node_count(); ++n) {
      nics.insert(nics.end(), f.node_nics(n).begin(), f.node_nics(n).end());
    }
    for (const DeviceId a : nics) {
      for (const DeviceId b : nics) {
        if (a == b) continue;
        const auto there = f.network_route(a, b);
        auto back = f.network_route(b, a);
        ASSERT_FALSE(there.empty());
        ASSERT_EQ(there.size(), back.size());
        EXPECT_EQ(f.link(there.front()).from, a);
        EXPECT_EQ(f.link(there.back()).to, b);
        std::reverse(back.begin(), back.end());
        for (std::size_t i = 0; i < there.size(); ++i) {
          EXPECT_EQ(f.link(there[i]).from, f.link(back[i]).to);
          EXPECT_EQ(f.link(there[i]).to, f.link(back[i]).from);
          if (i == 0) continue;
          EXPECT_EQ(f.link(there[i - 1]).to, f.link(there[i]).from);
        }
      }
    }
  });
}

TEST(FabricProperty, MachinesOfOneShapeHaveTheSameRoutes) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Fabric f = build(random_plan(rng));
    for (int n = 1; n < f.node_count(); ++n) {
      for (int m = 0; m < n; ++m) {
        if (f.node_shape(m) != f.node_shape(n)) continue;
        ASSERT_EQ(f.node_gpus(m).size(), f.node_gpus(n).size());
        for (std::size_t a = 0; a < f.node_gpus(n).size(); ++a) {
          for (std::size_t b = 0; b < f.node_gpus(n).size(); ++b) {
            for (const RouteKind kind : kKinds) {
              EXPECT_EQ(cost_of(f, f.route(f.node_gpus(m)[a], f.node_gpus(m)[b], kind)),
                        cost_of(f, f.route(f.node_gpus(n)[a], f.node_gpus(n)[b], kind)));
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace heddle::fabric
