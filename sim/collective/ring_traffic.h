#pragma once
// What the rings of a group send over the links.

#include "sim/collective/group.h"
#include "sim/collective/link_load.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

/// Crossings of every link, one for each ring that carries its part of the payload over it.
LinkLoad ring_load(const Group& group, schedule::CollectiveKind kind);

}  // namespace heddle::collective
