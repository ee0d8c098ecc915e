#pragma once
// What a plan's hops achieve, by transport and protocol, and what it takes to know it.

#include <optional>
#include <span>

#include "sim/collective/group.h"
#include "sim/collective/link_load.h"
#include "sim/collective/refusal.h"

namespace heddle::collective {

/// Of a protocol on the group's hops. Rates through host memory are measured as a whole
/// (HostStaging), so its links are used in full.
Efficiencies efficiencies(const Group& group, Protocol protocol);

/// Whether a protocol may run over the group's hops: LL128 needs NVLink inside a machine and a NIC
/// without a host bridge in between.
bool allows(const Group& group, Protocol protocol);

/// What the machine's parameters do not say although the group's hops need it.
std::optional<Refusal> missing_parameter(const Group& group);

/// The payload rate at which a socket transport's threads hold back the busiest NIC, flags of the
/// protocol included; none without such a limit.
std::optional<Bandwidth> socket_cap(const Group& group, Protocol protocol,
                                    std::span<const LinkUse> uses);

}  // namespace heddle::collective
