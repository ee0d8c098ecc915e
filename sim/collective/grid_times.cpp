#include "sim/collective/grid_times.h"

#include <cmath>
#include <utility>

#include "sim/base/check.h"

namespace heddle::collective {

using schedule::CollectiveKind;

Grid::Grid(std::vector<GridDimension> dimensions, std::vector<double> link_factors)
    : dimensions_(std::move(dimensions)), link_factors_(std::move(link_factors)) {
  HEDDLE_CHECK(!dimensions_.empty(), "a grid has a dimension");
  for (const GridDimension& d : dimensions_) {
    HEDDLE_CHECK(d.ranks > 0 && d.link.bytes_per_second > 0, "a dimension without ranks or links");
    strides_.push_back(ranks_);
    ranks_ *= d.ranks;
  }
  HEDDLE_CHECK(link_factors_.empty() || link_factors_.size() == ranks_, "a factor for every rank");
}

/// The last dimension has nobody above it to wait for: an all-reduce there is one pass, on the way
/// up.
std::size_t Grid::steps_up(CollectiveKind kind, std::size_t dimension) const {
  const std::size_t once = dimensions_[dimension].ranks - 1;
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return dimension + 1 == dimensions_.size() ? 2 * once : once;
    case CollectiveKind::kReduceScatter:
      return once;
    case CollectiveKind::kAllGather:
      return 0;
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
    case CollectiveKind::kAllToAll:
    case CollectiveKind::kSendRecv:
      break;
  }
  HEDDLE_CHECK(false, "not a kind that runs dimension by dimension");
}

std::size_t Grid::steps_down(CollectiveKind kind, std::size_t dimension) const {
  const std::size_t once = dimensions_[dimension].ranks - 1;
  if (kind == CollectiveKind::kAllGather) return once;
  const bool gathers = kind == CollectiveKind::kAllReduce && dimension + 1 < dimensions_.size();
  return gathers ? once : 0;
}

void Grid::pass(std::size_t dimension, std::size_t steps, Bytes payload, RankTimes& times) {
  if (steps == 0) return;
  const GridDimension& d = dimensions_[dimension];
  const auto members = static_cast<std::int64_t>(strides_[dimension] * d.ranks);
  const Bytes chunk{(payload.value + members - 1) / members};
  const auto send = static_cast<double>((chunk / d.link).ps);
  const RingPass ring{d.ranks, strides_[dimension], steps, static_cast<double>(d.latency.ps)};
  if (link_factors_.empty()) {
    pass_rings(times, ring, send, scratch_);
    return;
  }
  sends_.resize(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) sends_[r] = std::ceil(send * link_factors_[r]);
  pass_rings(times, ring, sends_, scratch_);
}

void Grid::run(CollectiveKind kind, Bytes payload, RankTimes& times) {
  HEDDLE_CHECK(times.size() == ranks_, "a time for every rank");
  for (std::size_t d = 0; d < dimensions_.size(); ++d) pass(d, steps_up(kind, d), payload, times);
  for (std::size_t d = dimensions_.size(); d-- > 0;) pass(d, steps_down(kind, d), payload, times);
}

std::uint64_t Grid::sends(CollectiveKind kind) const {
  std::uint64_t steps = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    steps += steps_up(kind, d) + steps_down(kind, d);
  }
  return steps * ranks_;
}

}  // namespace heddle::collective
