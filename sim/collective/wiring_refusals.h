#pragma once
// What a wiring says to groups that it cannot join.

#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

void refuse_kind(const fabric::Fabric& fabric, fabric::DeviceId device, Diagnostics& out);
void refuse_duplicate(const fabric::Fabric& fabric, fabric::DeviceId gpu, Diagnostics& out);
void refuse_empty(const fabric::Fabric& fabric, Diagnostics& out);
void refuse_no_path(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
                    Diagnostics& out);
/// No NetworkTransport although one is needed.
void refuse_no_network(const fabric::Fabric& fabric, int machines, Diagnostics& out);
void refuse_no_nic(const fabric::Fabric& fabric, fabric::DeviceId gpu, Diagnostics& out);
void refuse_no_route(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
                     Diagnostics& out);

}  // namespace heddle::collective
