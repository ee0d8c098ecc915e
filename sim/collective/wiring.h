#pragma once
// What lies between every two members of a communicator: peer-to-peer over NVLink or PCIe, or
// staging through host memory, decided by NCCL's rule (peer-to-peer up to PXB; network_model 1.1).

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/types.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

struct Hop {
  Transport transport = Transport::kSelf;
  bool crosses_socket = false;
  fabric::Route links;  // a view into the fabric
};

class Wiring {
 public:
  /// Refuses duplicates, members that are not GPUs, other machines and pairs without a path; all
  /// of them are reported.
  static std::optional<Wiring> create(const fabric::Fabric& fabric,
                                      std::vector<fabric::DeviceId> members, bool p2p,
                                      Diagnostics& out);

  const fabric::Fabric& fabric() const { return *fabric_; }
  int size() const { return static_cast<int>(members_.size()); }
  const fabric::DeviceId& member(int position) const {
    return members_[static_cast<std::size_t>(position)];
  }
  /// Between member positions; kSelf for from == to.
  const Hop& hop(int from, int to) const { return hops_[cell(from, to)]; }

 private:
  Wiring() = default;
  std::size_t cell(int from, int to) const {
    return static_cast<std::size_t>(from) * members_.size() + static_cast<std::size_t>(to);
  }
  bool members_are_valid(Diagnostics& out) const;
  bool connect_all(bool p2p, Diagnostics& out);

  const fabric::Fabric* fabric_ = nullptr;
  std::vector<fabric::DeviceId> members_;
  std::vector<Hop> hops_;
};

}  // namespace heddle::collective
