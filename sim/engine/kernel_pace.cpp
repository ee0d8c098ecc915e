#include "sim/engine/kernel_pace.h"

#include <algorithm>

#include "sim/base/int128.h"

namespace heddle::engine {
namespace {

/// Time of the kernel if what runs beside it now ran all along. With several collectives the one
/// that slows it most decides.
Duration time_now(const StreamState& stream, const RankState& rank, const CostTable& costs) {
  Duration time = costs.kernels[stream.head().arg];
  if (!costs.beside.empty()) {
    for (const std::uint32_t entry : rank.beside) {
      time = std::max(time, costs.beside[entry][stream.head().arg]);
    }
  }
  return at_speed(time, rank.identity.speed_ppb);
}

}  // namespace

Duration time_alone(const StreamState& stream, const RankState& rank, const CostTable& costs) {
  return at_speed(costs.kernels[stream.head().arg], rank.identity.speed_ppb);
}

bool runs_kernel(const StreamState& stream) {
  return stream.busy && stream.head().kind == schedule::OpKind::kCompute;
}

void start_pace(StreamState& stream, const RankState& rank, SimTime start, const CostTable& costs) {
  stream.paced_from = start;
  stream.left = time_alone(stream, rank, costs);
}

SimTime planned_end(const StreamState& stream, const RankState& rank, const CostTable& costs) {
  const Int128 alone = time_alone(stream, rank, costs).ps;
  if (alone == 0) return stream.paced_from;
  const Int128 scaled = static_cast<Int128>(stream.left.ps) * time_now(stream, rank, costs).ps;
  return stream.paced_from + Duration{static_cast<std::int64_t>((scaled + alone - 1) / alone)};
}

void book_progress(RankState& rank, const CostTable& costs, SimTime now) {
  for (StreamState& stream : rank.streams) {
    if (!runs_kernel(stream) || now <= stream.paced_from) continue;
    const Duration pace = time_now(stream, rank, costs);
    const Int128 elapsed = (now - stream.paced_from).ps;
    const auto done = static_cast<std::int64_t>(elapsed * time_alone(stream, rank, costs).ps /
                                                std::max<std::int64_t>(1, pace.ps));
    stream.left = std::max(Duration{}, stream.left - Duration{done});
    stream.paced_from = now;
  }
}

}  // namespace heddle::engine
