#pragma once
// What the rings of a group send over the links.

#include <optional>

#include "sim/collective/group.h"
#include "sim/collective/link_load.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

/// Crossings of every link, one for each ring that carries its part of the payload over it.
LinkLoad ring_load(const Group& group, schedule::CollectiveKind kind);

/// All rings together where a transport over sockets limits every NIC; none where nothing does.
std::optional<Bandwidth> socket_bus_cap(const Group& group);

}  // namespace heddle::collective
