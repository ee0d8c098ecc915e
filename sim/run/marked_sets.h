#pragma once
// Sets of GPUs, told apart by the symmetries of a fabric.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/fabric/symmetry.h"

namespace heddle::run {

using GpuSet = std::vector<fabric::DeviceId>;  // ascending

inline constexpr std::int64_t kBusyMark = -1;

/// The first of every class of equivalent sets, in the given order. `marks` by device.
std::vector<GpuSet> distinct_sets(const fabric::Symmetry& symmetry, const fabric::Marks& marks,
                                  std::span<const GpuSet> sets);

/// One set of `count` GPUs out of `from` for every class: each class of smaller sets grows by each
/// GPU, and what is equivalent is kept once. nullopt if there are more than kMostPlacements.
std::optional<std::vector<GpuSet>> grow_sets(const fabric::Symmetry& symmetry,
                                             const fabric::Marks& marks,
                                             std::span<const fabric::DeviceId> from, int count);

}  // namespace heddle::run
