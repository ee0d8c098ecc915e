#pragma once
// What in-switch reduction needs of a group: one NVSwitch that the members of a machine share.

#include <optional>
#include <vector>

#include "sim/collective/group.h"
#include "sim/collective/refusal.h"

namespace heddle::collective {

/// Links of a machine's members into and out of the one switch they share; empty if there is none,
/// or fewer than two members.
std::vector<fabric::LinkId> switch_ports(const Wiring& wiring, int machine);

/// Members that reduce a part of the payload each: all of them, up to NCCL's arity (device.h:
/// NCCL_MAX_NVLS_ARITY).
int head_count(std::size_t members);

/// The fastest candidate of which every port holds h + 1, h = heads of the largest machine, a
/// head's own counted twice.
std::optional<Bandwidth> head_speed(const Group& group);

/// Peer-to-peer off, NVLS off, a machine or a GPU without it.
std::optional<Refusal> missing_switch_reduction(const Group& group);

}  // namespace heddle::collective
