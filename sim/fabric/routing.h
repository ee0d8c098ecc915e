#pragma once
// Shortest routes inside one machine. Cost of a route, compared in this order: hops, then the
// largest smallest capacity. Among equals each device is entered from the lowest device id, over
// the lowest link id, so that the same machine always gives the same routes.

#include <memory>
#include <span>
#include <vector>

#include "sim/fabric/device.h"
#include "sim/fabric/route_table.h"

namespace heddle::fabric {

using Path = std::vector<LinkId>;

/// One machine inside the fabric's arrays. Both lists ascend.
struct NodeView {
  std::span<const Device> devices;
  std::span<const Link> links;
  std::span<const DeviceId> members;
  std::span<const LinkId> inner_links;  // both ends inside the machine
};

class NvlinkRelay;

class NodeRouter {
 public:
  explicit NodeRouter(const NodeView& node);
  ~NodeRouter();
  NodeRouter(const NodeRouter&) = delete;
  NodeRouter& operator=(const NodeRouter&) = delete;

  /// The route from `source` to each of `targets`; empty where there is none.
  std::vector<Path> paths(DeviceId source, std::span<const DeviceId> targets, RouteKind kind) const;

 private:
  struct Search;  // a Boost graph of the links one kind of traffic may take
  std::unique_ptr<const Search> nvlink_;
  std::unique_ptr<const Search> pcie_;
  std::unique_ptr<const Search> staged_;
  std::unique_ptr<const NvlinkRelay> relay_;
};

}  // namespace heddle::fabric
