#pragma once
// The rings of a group, equal ones together.

#include <span>
#include <string>

#include "sim/collective/collective_model.h"

namespace heddle::cli {

/// A line per kind of ring: "  6 x ring over ranks 0 -> 1 -> 2"; long rings are cut short.
/// `ranks`: those of the group, in order; empty: 0, 1, ...
std::string rings_text(const collective::CollectiveModel& group, std::span<const int> ranks = {});

}  // namespace heddle::cli
