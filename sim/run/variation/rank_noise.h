#pragma once
// What differs from GPU to GPU and from step to step. Ranks run one program and wait for each other
// at every collective, so that a step takes as long as if all of them were as slow as the slowest:
//
//   slowdown_r = exp(noise z1 + spread z2) * straggler_r / speed_r      step = step(max over r)
//
// z1 and straggler_r are drawn for each step, z2 for each GPU. For n ranks of the same normal
// slowdown the expected maximum is about sigma sqrt(2 ln n) above the mean.

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/run/variation/variation_choice.h"

namespace heddle::run {

/// The slowest of the ranks, as a factor on kernel times, with all causes and with each alone; 1
/// where nothing is drawn.
struct Slowest {
  double all = 1;
  double noise = 1;
  double spread = 1;
  double straggler = 1;
};

/// Where random numbers come from: the same place gives the same numbers, whatever else is drawn.
struct DrawPlace {
  std::uint64_t seed = 0;
  int draw = 0;
};

/// A stream of random numbers of its own for what `name` says of `scope`.
std::uint64_t stream_of(const DrawPlace& place, std::string_view name, std::string_view scope);

/// `speeds`: ppb by rank, empty: all full. `machine` and `job` name whose numbers they are: GPUs
/// keep theirs for every job on a machine, steps do not.
Slowest slowest_of(const VariationChoice& choice, int ranks, std::span<const std::int64_t> speeds,
                   const DrawPlace& place, std::string_view machine, std::string_view job);

}  // namespace heddle::run
