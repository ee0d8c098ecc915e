#pragma once
// When each rank of a group is done with a collective whose ranks do not arrive together: step by
// step, as recurrences over all ranks at once, without an event per send.
//
//   ring      step: x'_i = max( x_i + c_i, x_l + c_l + latency )        l: the neighbour on the
//   left
//
// x_i is when rank i is ready for its next send, c how long a send keeps its link: it has sent, and
// has what its neighbour sent. A rank's own sends queue on its link; no other ring is on it. With
// equal links s steps are one window of maxima,
//
//             x_i after s steps = s c + max over j = 0..s of ( x_(i-j) + j latency )
//
// found by doubling in O(ranks log ranks), whatever s is: max and plus of whole numbers are exact
// in any grouping. Times are whole picoseconds in doubles, exact up to 2^53 (2.5 hours);
// HEDDLE_CHECKed by whoever makes them. Oracle: the same events one by one
// (tests/support/event_ring).

#include <cstddef>
#include <span>
#include <vector>

namespace heddle::collective {

/// Picoseconds by rank.
using RankTimes = std::vector<double>;

/// Rings of `ranks` members each, `stride` ranks apart, side by side: member k of a ring is k *
/// stride behind its first. As many as the times have room for.
struct RingPass {
  std::size_t ranks = 1;
  std::size_t stride = 1;
  std::size_t steps = 0;
  double latency = 0;  // ps, from the end of a send to its arrival
};

/// All links alike: a send takes `send` ps.
void pass_rings(RankTimes& times, const RingPass& pass, double send, RankTimes& scratch);
/// Links of their own: `sends` by rank. O(ranks steps).
void pass_rings(RankTimes& times, const RingPass& pass, std::span<const double> sends,
                RankTimes& scratch);

}  // namespace heddle::collective
