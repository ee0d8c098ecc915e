#pragma once
// The rings of a group, equal ones together.

#include <string>

#include "sim/collective/collective_model.h"

namespace heddle::cli {

/// A line per kind of ring: "  6 x ring over ranks 0 -> 1 -> 2"; long rings are cut short.
std::string rings_text(const collective::CollectiveModel& world);

}  // namespace heddle::cli
