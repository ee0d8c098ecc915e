#include "hw_models/cluster.h"

#include <fmt/format.h>

#include <utility>

#include "hw_models/folded_cluster.h"
#include "hw_models/network_fabric.h"

namespace heddle::hw_models {
namespace {

std::string title(const std::string& node, int nodes, const std::string& network) {
  return nodes == 1 ? fmt::format("{} over {}", node, network)
                    : fmt::format("{} x {} over {}", nodes, node, network);
}

/// The port of a machine's NICs; those of the network replace the node's in `wiring`.
std::optional<LinkModel> load_port(const DataFolder& folder, const NodeFiles& node,
                                   const NetworkFiles& network, Wiring& wiring, Diagnostics& out) {
  if (network.model.nics) {
    wiring.nics = nics_beside_gpus(wiring, *network.model.nics);
    return load_link(folder, network.model.nics->link, fabric::LinkKind::kNetwork, out);
  }
  if (wiring.nics.empty()) {
    out.error("no-nic", "", "", 0,
              fmt::format("{} has no NICs, and the network \"{}\" brings none", node.model.name,
                          network.model.name),
              "choose a network with NICs of its own, like \"ethernet-100g\"");
    return std::nullopt;
  }
  return load_link(folder, node.model.nics.link, fabric::LinkKind::kNetwork, out);
}

void use_nics(const OtherNics& nics, Wiring& wiring, LinkModel& port) {
  wiring.nics = nics_beside_gpus(wiring, {nics.per_machine, 0, port.name});
  port.line_rate = port.payload_rate = nics.rate;
}

}  // namespace

std::optional<fabric::Fabric> build_cluster(const DataFolder& folder, const std::string& name,
                                            const NodeFiles& node, Wiring wiring, int nodes,
                                            Machines machines, const NetworkFiles& network,
                                            const std::optional<OtherNics>& other,
                                            Diagnostics& out) {
  auto port = load_port(folder, node, network, wiring, out);
  if (!port) return std::nullopt;
  if (other) use_nics(*other, wiring, *port);
  fabric::FabricBuilder builder(title(name, nodes, network.model.name), node.model.gpu);
  fabric::CommParameters comm = comm_of(node.model, wiring);
  comm.network = network.model.transport;
  comm.sigma.network = network.model.sigma.network;
  comm.sigma.network_latency = network.model.sigma.network_latency;
  builder.set_comm(comm);
  std::vector<std::vector<fabric::DeviceId>> nics;
  builder.set_represented_nodes(nodes);
  const int built = machines == Machines::kFolded ? folded_machines(network.model, nodes) : nodes;
  for (int i = 0; i < built; ++i) {
    const std::string prefix = nodes == 1 ? "" : fmt::format("node{}/", i);
    nics.push_back(add_node(builder, i, prefix, node.model, node.links, wiring));
  }
  add_network(builder, network.model, *port, nics);
  return std::move(builder).freeze(network.path, out);
}

}  // namespace heddle::hw_models
