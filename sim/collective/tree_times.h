#pragma once
// A tree all-reduce among ranks that do not arrive together (see rank_times.h), chunk by chunk:
//
//   up      sent_v(k) = max( x_v, sent_v(k-1), arrivals of chunk k from the children ) + send
//   down    sent_vw(k) = max( sum of chunk k at v, sent_vw(k-1) ) + send        to each child w
//   arrival = sent + latency
//
// A link per edge and direction. O(ranks chunks).

#include "sim/collective/binary_tree.h"
#include "sim/collective/rank_times.h"

namespace heddle::collective {

struct TreePass {
  int chunks = 1;
  double send = 0;     // ps, how long a chunk keeps a link
  double latency = 0;  // ps, from the end of a send to its arrival
};

/// `times`: arrivals in, ends out: a rank has all sums and has sent what it sends.
void pass_tree(RankTimes& times, const BinaryTree& tree, const TreePass& pass);

/// Both trees at once, each with half the chunks: a rank is done when it is in both.
void pass_double_tree(RankTimes& times, const TreePass& pass);

}  // namespace heddle::collective
