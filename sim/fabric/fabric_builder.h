#pragma once
// The only way to make a Fabric: add devices and links, then freeze. Nothing is checked while
// adding, so that freeze() can report every fault of a machine at once.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"

namespace heddle::fabric {

class FabricBuilder {
 public:
  FabricBuilder(std::string name, std::string gpu_model);

  DeviceId add_device(Device device);
  /// One direction.
  LinkId add_link(const Link& link);
  /// Both directions with the same capacity; returns the one as given, the reverse is the next id.
  LinkId add_duplex(const Link& link);
  void set_comm(const CommParameters& comm);
  /// Of a folded cluster, see Fabric::represented_nodes().
  void set_represented_nodes(int nodes);

  /// Sorts the GPUs, finds all routes. Refuses duplicate device names, two GPUs with one number,
  /// negative node numbers (but kNoNode for network switches), self-links, links without capacity
  /// or with an unknown end, a fabric without GPUs, and a network that is not a tree of switches
  /// with NICs below. `source` is the file to blame. The builder is spent afterwards.
  std::optional<Fabric> freeze(const std::string& source, Diagnostics& out) &&;

 private:
  Fabric fabric_;
};

}  // namespace heddle::fabric
