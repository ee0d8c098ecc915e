#include "sim/collective/rank_times.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace heddle::collective {
namespace {

/// One ring, or several side by side: `size` = ranks * stride times in a row.
struct Block {
  const double* from;
  double* to;
  std::size_t size;
};

/// to_x = max( from_x, from_(x - shift) + later ), around the block's end. Plain loops over arrays
/// that do not overlap: compilers make vector code of them.
void later_of(const Block& block, std::size_t shift, double later) {
  const double* __restrict__ const from = block.from;
  double* __restrict__ const to = block.to;
  for (std::size_t x = 0; x < shift; ++x) {
    to[x] = std::max(from[x], from[x + block.size - shift] + later);
  }
  for (std::size_t x = shift; x < block.size; ++x) {
    to[x] = std::max(from[x], from[x - shift] + later);
  }
}

template <typename OnBlock>
void for_each_block(RankTimes& from, RankTimes& to, std::size_t size, OnBlock on_block) {
  for (std::size_t at = 0; at < from.size(); at += size) {
    on_block(Block{from.data() + at, to.data() + at, size}, at);
  }
}

/// Maxima over windows of `steps` + 1 members that end at each: windows of 1, 2, 4 ... members,
/// then two of these that overlap.
void widen(RankTimes& times, const RingPass& pass, RankTimes& scratch) {
  const std::size_t wanted = pass.steps + 1;
  const auto shift = [&](std::size_t members) { return members % pass.ranks * pass.stride; };
  std::size_t width = 1;
  while (width < wanted) {
    const std::size_t more = std::min(width, wanted - width);
    for_each_block(times, scratch, pass.ranks * pass.stride, [&](const Block& block, std::size_t) {
      later_of(block, shift(more), static_cast<double>(more) * pass.latency);
    });
    times.swap(scratch);
    width += more;
  }
}

void check(const RankTimes& times, const RingPass& pass) {
  HEDDLE_CHECK(pass.ranks > 0 && pass.stride > 0, "an empty ring");
  HEDDLE_CHECK(times.size() % (pass.ranks * pass.stride) == 0, "ranks left over beside the rings");
}

void step(const Block& block, std::size_t shift, const double* sends, double latency) {
  const double* __restrict__ const from = block.from;
  const double* __restrict__ const send = sends;
  double* __restrict__ const to = block.to;
  for (std::size_t x = 0; x < shift; ++x) {
    const std::size_t left = x + block.size - shift;
    to[x] = std::max(from[x] + send[x], from[left] + (send[left] + latency));
  }
  for (std::size_t x = shift; x < block.size; ++x) {
    const std::size_t left = x - shift;
    to[x] = std::max(from[x] + send[x], from[left] + (send[left] + latency));
  }
}

}  // namespace

void pass_rings(RankTimes& times, const RingPass& pass, double send, RankTimes& scratch) {
  check(times, pass);
  scratch.resize(times.size());
  if (pass.ranks == 1 || pass.steps == 0) return;
  widen(times, pass, scratch);
  const double sends = static_cast<double>(pass.steps) * send;
  for (double& t : times) t += sends;
}

void pass_rings(RankTimes& times, const RingPass& pass, std::span<const double> sends,
                RankTimes& scratch) {
  check(times, pass);
  HEDDLE_CHECK(sends.size() == times.size(), "a link for every rank");
  scratch.resize(times.size());
  if (pass.ranks == 1) return;
  const std::size_t size = pass.ranks * pass.stride;
  for (std::size_t s = 0; s < pass.steps; ++s) {
    for_each_block(times, scratch, size, [&](const Block& block, std::size_t at) {
      step(block, pass.stride, sends.data() + at, pass.latency);
    });
    times.swap(scratch);
  }
}

}  // namespace heddle::collective
