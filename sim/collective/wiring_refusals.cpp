#include "sim/collective/wiring_refusals.h"

#include <fmt/core.h>

#include <utility>

namespace heddle::collective {
namespace {

void refuse(const fabric::Fabric& fabric, const char* code, std::string reason, std::string hint,
            Diagnostics& out) {
  out.error(code, fabric.name(), "", 0, std::move(reason), std::move(hint));
}

}  // namespace

void refuse_kind(const fabric::Fabric& fabric, fabric::DeviceId device, Diagnostics& out) {
  refuse(fabric, "not-a-gpu",
         fmt::format("{} is not a GPU and cannot take part in a collective",
                     fabric.device(device).name),
         "", out);
}

void refuse_duplicate(const fabric::Fabric& fabric, fabric::DeviceId gpu, Diagnostics& out) {
  refuse(fabric, "duplicate-gpu",
         fmt::format("{} appears more than once in the communicator", fabric.device(gpu).name),
         "list every GPU once; several ranks on one GPU are not modelled", out);
}

void refuse_empty(const fabric::Fabric& fabric, Diagnostics& out) {
  refuse(fabric, "no-gpu", "the communicator has no members", "", out);
}

void refuse_no_path(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
                    Diagnostics& out) {
  refuse(fabric, "no-path",
         fmt::format("no path from {} to {}", fabric.device(from).name, fabric.device(to).name),
         "leave one of the two out of the job, or give them NVLink or PCIe in the topology", out);
}

void refuse_no_network(const fabric::Fabric& fabric, int machines, Diagnostics& out) {
  const std::string reason =
      machines > 1
          ? fmt::format("the group spans {} machines, and nothing says how they are joined",
                        machines)
          : "with host memory off (\"shm\") GPUs without peer-to-peer talk over the network, and "
            "the machine has none";
  refuse(fabric, "no-network", reason, "name a network, or choose GPUs of one machine", out);
}

void refuse_no_nic(const fabric::Fabric& fabric, fabric::DeviceId gpu, Diagnostics& out) {
  refuse(fabric, "no-nic",
         fmt::format("the machine of {} has no NIC that its GPUs reach", fabric.device(gpu).name),
         "give it NICs, or choose GPUs of one machine", out);
}

void refuse_no_route(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
                     Diagnostics& out) {
  refuse(
      fabric, "no-path",
      fmt::format("no network between {} and {}", fabric.device(from).name, fabric.device(to).name),
      "join their switches, or leave one of the machines out of the job", out);
}

}  // namespace heddle::collective
