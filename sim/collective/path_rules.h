#pragma once
// How NCCL carries bytes between two GPUs of one machine (network_model 1.1): peer-to-peer over
// NVLink or PCIe up to a worst path (PXB unless NCCL_P2P_LEVEL says otherwise), beyond it staged
// through host memory. NVLink through another GPU (NVB) counts as NVLink.

#include <vector>

#include "sim/collective/settings.h"
#include "sim/collective/types.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

struct Hop {
  Transport transport = Transport::kSelf;
  fabric::PathType path = fabric::PathType::kLocal;  // staged hops: kPhb or kSys
  bool crosses_socket = false;
  std::vector<fabric::LinkId> links;  // in order; empty: no way
};

/// Between two GPUs of one machine.
Hop local_hop(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
              const CommSettings& settings);

/// NIC and GPU exchange bytes without host memory: NCCL's GPUDirect RDMA up to PXB, or over C2C.
bool reaches_directly(fabric::PathType gpu_to_nic);

/// What NCCL believes a link carries: PCIe by generation and width, all of which are 3 x 2^k GB/s
/// (src/graph/topo.cc); of those the largest that the link achieves. Other links: their capacity.
Bandwidth believed_capacity(const fabric::Link& link);

}  // namespace heddle::collective
