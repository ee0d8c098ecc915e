#pragma once
// NVLink through another GPU, where two GPUs have no NVLink of their own (NCCL's NVB): exactly two
// links with one GPU between, as in the cube mesh of a DGX-1.

#include <map>

#include "sim/fabric/routing.h"

namespace heddle::fabric {

class NvlinkRelay {
 public:
  explicit NvlinkRelay(const NodeView& node);

  /// The widest such way, through the lowest device among equals; empty if there is none.
  Path path(DeviceId from, DeviceId to) const;

 private:
  /// The widest direct link from one GPU to another.
  struct Cable {
    LinkId link;
    Bandwidth capacity;
  };
  std::map<DeviceId, std::map<DeviceId, Cable>> cables_;
};

}  // namespace heddle::fabric
