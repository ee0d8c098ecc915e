#pragma once
// Contention event by event: messages that wander over a star of first-come-first-served links, as
// the least that any simulator with queues does per event. `pending` of them are under way at any
// time; each hop is an event.

#include <cstdint>

#include "sim/base/units.h"

namespace heddle::bench {

/// Handles `events` hops and returns the simulated time.
SimTime run_queued_links(std::uint32_t pending, std::uint64_t events);

}  // namespace heddle::bench
