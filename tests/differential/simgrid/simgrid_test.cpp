// SimGrid's solver as a second, independent oracle: its CM02 model without latency, cross traffic
// or TCP window is max-min fairness too. What its public interface expresses: flows over several
// links, with a cap, endless ones too (as actors that do not keep it running), and whole weights (a
// route that takes a link more than once). Other weights are left to the exact oracle.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#ifdef HEDDLE_HAVE_SIMGRID
#include <sys/wait.h>
#include <unistd.h>

#include <simgrid/s4u.hpp>

#include "tests/support/random_network.h"
#include "tests/support/seeds.h"
#endif

namespace heddle::test {
namespace {

#ifndef HEDDLE_HAVE_SIMGRID

TEST(SimGrid, FinishTimesAgree) {
  GTEST_SKIP() << "SimGrid (libsimgrid-dev) was not found when this was built";
}

#else

namespace s4u = simgrid::s4u;

constexpr std::int64_t kWeightOne = 1'000'000'000;              // ppb
constexpr std::uint64_t kEndlessBytes = 1'000'000'000'000'000;  // none gets through in time

/// Two hosts of its own for each activity, with a route over the links it uses and one more of its
/// own that is as wide as its cap.
void build_platform(const RandomNetwork& network) {
  s4u::NetZone* zone = s4u::create_full_zone("zone");
  std::vector<s4u::Link*> links;
  for (std::size_t l = 0; l < network.capacities.size(); ++l) {
    const auto bandwidth = static_cast<double>(network.capacities[l].bytes_per_second);
    links.push_back(zone->create_link("link" + std::to_string(l), bandwidth)->seal());
  }
  for (std::size_t a = 0; a < network.activities.size(); ++a) {
    s4u::Host* from = zone->create_host("from" + std::to_string(a), 1e9)->seal();
    s4u::Host* to = zone->create_host("to" + std::to_string(a), 1e9)->seal();
    const auto cap = static_cast<double>(network.activities[a].cap.bytes_per_second);
    std::vector<s4u::LinkInRoute> route;
    route.emplace_back(zone->create_link("cap" + std::to_string(a), cap)->seal());
    for (const engine::ResourceUse& use : network.activities[a].uses) {
      for (std::int64_t w = 0; w < use.weight_ppb; w += kWeightOne) {
        route.emplace_back(links[use.resource.index()]);
      }
    }
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
  }
  zone->seal();
}

std::vector<double> simgrid_finish_times(const RandomNetwork& network) {
  std::string name = "simgrid";
  std::string quiet = "--log=root.threshold:critical";
  std::vector<char*> argv{name.data(), quiet.data(), nullptr};
  int argc = 2;
  s4u::Engine engine(&argc, argv.data());
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("network/TCP-gamma:0");
  build_platform(network);
  std::vector<double> ends(network.activities.size());
  for (std::size_t a = 0; a < ends.size(); ++a) {
    s4u::Host* from = s4u::Host::by_name("from" + std::to_string(a));
    s4u::Host* to = s4u::Host::by_name("to" + std::to_string(a));
    const auto bytes = static_cast<std::uint64_t>(network.activities[a].payload.value);
    const bool endless = bytes == 0;
    const auto sender = s4u::Actor::create("sender", from, [=, &end = ends[a]] {
      s4u::Comm::sendto(from, to, endless ? kEndlessBytes : bytes);
      end = s4u::Engine::get_clock();
    });
    if (endless) sender->daemonize();
  }
  engine.run();
  return ends;
}

/// A process holds one SimGrid engine in its life, so each case gets a child of its own.
std::vector<double> in_child(const RandomNetwork& network) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<double> times = simgrid_finish_times(network);
    const auto size = times.size() * sizeof(double);
    const bool sent = write(ends[1], times.data(), size) == static_cast<ssize_t>(size);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::vector<double> times(network.activities.size());
  const auto size = times.size() * sizeof(double);
  const bool received = read(ends[0], times.data(), size) == static_cast<ssize_t>(size);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return received && status == 0 ? times : std::vector<double>{};
}

TEST(SimGrid, FinishTimesAgree) {
  for_each_seed([](std::uint64_t seed) {
    const NetworkShape shape{.weights = Weights::kWhole, .endless = static_cast<int>(seed % 4)};
    const RandomNetwork network = random_network(seed, shape);
    const std::vector<SimTime> ours = fluid_finish_times(network);
    const std::vector<double> theirs = in_child(network);
    ASSERT_EQ(theirs.size(), ours.size()) << "the SimGrid process failed";
    for (std::size_t a = 0; a < ours.size(); ++a) {
      // SimGrid ends an activity up to its precision/timing (1e-9 s by default) early.
      EXPECT_NEAR(ours[a].seconds(), theirs[a], 1e-6 * theirs[a] + 2e-9) << "activity " << a;
    }
  });
}

#endif

}  // namespace
}  // namespace heddle::test
