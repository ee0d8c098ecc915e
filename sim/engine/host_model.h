#pragma once
// What the host thread of a rank costs, and how far it may be ahead of its GPU.

#include <cstdint>

#include "sim/base/units.h"

namespace heddle::engine {

/// CUDA takes about a thousand launches per stream before a further one blocks the host until the
/// GPU has caught up: 1000 on each of three streams in the NVIDIA forum, 68937 (2018), also Stack
/// Overflow 53970187. No release documents the number.
inline constexpr std::int64_t kRunAhead = 1000;

struct HostModel {
  Duration per_dispatch;       // host time of one eager operator
  Duration per_collective;     // host time of enqueuing a collective, besides its dispatches
  std::int64_t run_ahead = 0;  // launches that may wait on a stream; 0: any number
  Duration per_step = {};      // host time at the begin of each step: data, logging, callbacks
};

}  // namespace heddle::engine
