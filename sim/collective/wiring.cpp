#include "sim/collective/wiring.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace heddle::collective {
namespace {

Transport transport_of(fabric::PathType path, bool p2p) {
  if (!p2p || path > fabric::PathType::kPxb) return Transport::kHostMemory;
  return path <= fabric::PathType::kNvb ? Transport::kNvlink : Transport::kPcie;
}

Hop connect(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to, bool p2p) {
  Hop hop;
  hop.transport = transport_of(fabric.path_type(from, to), p2p);
  hop.crosses_socket = fabric.device(from).socket != fabric.device(to).socket;
  hop.links = fabric.route(from, to,
                           hop.transport == Transport::kHostMemory ? fabric::RouteKind::kHostStaged
                                                                   : fabric::RouteKind::kPeer);
  return hop;
}

void report_no_path(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
                    Diagnostics& out) {
  out.error("no-path", fabric.name(), "", 0,
            fmt::format("no path from {} to {}", fabric.device(from).name, fabric.device(to).name),
            "leave one of the two out of the job, or give them NVLink or PCIe in the topology");
}

void report_other_machine(const fabric::Fabric& fabric, fabric::DeviceId first,
                          fabric::DeviceId other, Diagnostics& out) {
  out.error("unsupported-wiring", fabric.name(), "", 0,
            fmt::format("{} is in another machine than {}; collectives across machines are not "
                        "modelled",
                        fabric.device(other).name, fabric.device(first).name),
            "choose GPUs of one machine");
}

}  // namespace

std::optional<Wiring> Wiring::create(const fabric::Fabric& fabric,
                                     std::vector<fabric::DeviceId> members, bool p2p,
                                     Diagnostics& out) {
  Wiring wiring;
  wiring.fabric_ = &fabric;
  wiring.members_ = std::move(members);
  if (!wiring.members_are_valid(out) || !wiring.connect_all(p2p, out)) return std::nullopt;
  return wiring;
}

bool Wiring::members_are_valid(Diagnostics& out) const {
  const int errors = out.error_count();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const fabric::Device& device = fabric_->device(members_[i]);
    if (device.kind != fabric::DeviceKind::kGpu) {
      out.error("not-a-gpu", fabric_->name(), "", 0,
                fmt::format("{} is not a GPU and cannot take part in a collective", device.name));
    }
    const auto before = members_.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(members_.begin(), before, members_[i]) != before) {
      out.error("duplicate-gpu", fabric_->name(), "", 0,
                fmt::format("{} appears more than once in the communicator", device.name),
                "list every GPU once; several ranks on one GPU are not modelled");
    }
    if (device.node != fabric_->device(members_.front()).node) {
      report_other_machine(*fabric_, members_.front(), members_[i], out);
    }
  }
  if (members_.empty()) {
    out.error("no-gpu", fabric_->name(), "", 0, "the communicator has no members");
  }
  return out.error_count() == errors;
}

bool Wiring::connect_all(bool p2p, Diagnostics& out) {
  const int errors = out.error_count();
  hops_.resize(members_.size() * members_.size());
  for (int from = 0; from < size(); ++from) {
    for (int to = 0; to < size(); ++to) {
      if (from == to) continue;
      Hop hop = connect(*fabric_, member(from), member(to), p2p);
      const bool is_reported = from > to && this->hop(to, from).links.empty();
      if (hop.links.empty() && !is_reported)
        report_no_path(*fabric_, member(from), member(to), out);
      hops_[cell(from, to)] = hop;
    }
  }
  return out.error_count() == errors;
}

}  // namespace heddle::collective
