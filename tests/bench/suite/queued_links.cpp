#include "tests/bench/suite/queued_links.h"

#include <algorithm>
#include <vector>

#include "sim/engine/event_queue.h"

namespace heddle::bench {
namespace {

constexpr std::uint32_t kPorts = 4096;      // each an up and a down link of 400 GB/s and 500 ns
constexpr std::int64_t kLatency = 500'000;  // ps

/// The next of a fixed sequence (xorshift).
std::uint64_t next(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

}  // namespace

SimTime run_queued_links(std::uint32_t pending, std::uint64_t events) {
  engine::EventQueue queue;
  std::vector<SimTime> free(2 * kPorts);  // when each link has sent what is queued on it
  std::uint64_t state = 88172645463325252ULL;
  for (std::uint32_t message = 0; message < pending; ++message) {
    const auto link = static_cast<std::uint32_t>(next(state) % kPorts);
    queue.push({static_cast<std::int64_t>(next(state) % 1'000'000)}, engine::EventPhase::kOpFinish,
               link, message);
  }
  SimTime now;
  for (std::uint64_t e = 0; e < events; ++e) {
    const engine::Event event = queue.pop();
    now = event.time;
    const std::uint64_t random = next(state);
    const auto send = static_cast<std::int64_t>(random % 262'144);  // up to 100 KiB: 262 ns
    SimTime& link = free[event.subject];
    link = std::max(link, now) + Duration{send};
    const bool was_up = event.subject < kPorts;
    const auto port = static_cast<std::uint32_t>(random >> 40) % kPorts;
    queue.push(link + Duration{kLatency}, engine::EventPhase::kOpFinish,
               was_up ? kPorts + port : event.subject - kPorts, event.version);
  }
  return now;
}

}  // namespace heddle::bench
