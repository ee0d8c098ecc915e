#include "sim/fabric/routing.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <cstdint>
#include <limits>

#include "sim/fabric/nvlink_relay.h"

namespace heddle::fabric {
namespace {

enum class Medium { kNvlink, kPcie, kHostStaged };

struct Cost {
  int hops = 0;
  std::int64_t width = std::numeric_limits<std::int64_t>::max();
  friend bool operator==(const Cost&, const Cost&) = default;
};

constexpr Cost kUnreachable{std::numeric_limits<int>::max(), 0};

bool better(const Cost& a, const Cost& b) {
  return a.hops != b.hops ? a.hops < b.hops : a.width > b.width;
}

Cost extend(const Cost& cost, std::int64_t capacity) {
  return {cost.hops + 1, std::min(cost.width, capacity)};
}

/// GPUs and NICs end a route (but see NvlinkRelay); only these pass traffic on.
bool forwards(DeviceKind kind) {
  return kind == DeviceKind::kNvSwitch || kind == DeviceKind::kPcieSwitch ||
         kind == DeviceKind::kCpu;
}

bool carries(Medium medium, LinkKind link) {
  if (medium == Medium::kNvlink) return link == LinkKind::kNvlink;
  return link == LinkKind::kPcie || link == LinkKind::kCpuInterconnect || link == LinkKind::kC2c;
}

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, std::int64_t>>;

/// Keeps the edges that leave the source or a device that forwards.
struct MayLeave {
  const Graph* graph = nullptr;
  const std::vector<bool>* forwards = nullptr;
  std::size_t source = 0;

  bool operator()(const Graph::edge_descriptor& edge) const {
    const std::size_t from = boost::source(edge, *graph);
    return from == source || (*forwards)[from];
  }
};

}  // namespace

// A state is a device, or, for staged traffic, a device before (layer 0) or after (layer 1) the
// payload has been in host memory: entering a CPU moves a route to layer 1, and it must end there.
struct NodeRouter::Search {
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    LinkId link;
    std::int64_t capacity = 0;
  };

  Search(const NodeView& node, Medium medium);

  void add_edges(const Link& link, LinkId id);
  std::size_t local(DeviceId device) const;
  std::size_t start(DeviceId device) const;
  std::size_t goal(DeviceId device) const { return local(device) + (layers - 1) * size; }
  std::vector<Cost> costs(std::size_t source) const;
  std::vector<const Edge*> entries(std::size_t source) const;
  std::vector<Path> paths(DeviceId source, std::span<const DeviceId> targets) const;

  std::vector<DeviceId> members;
  std::size_t size;
  std::size_t layers;
  std::vector<bool> is_cpu;
  std::vector<bool> may_forward;  // by state
  std::vector<Edge> edges;        // by (from, link): the order of preference among equals
  Graph graph;
};

NodeRouter::Search::Search(const NodeView& node, Medium medium)
    : members(node.members.begin(), node.members.end()),
      size(members.size()),
      layers(medium == Medium::kHostStaged ? 2 : 1),
      graph(size * layers) {
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (const DeviceId id : members) {
      const DeviceKind kind = node.devices[id.index()].kind;
      may_forward.push_back(forwards(kind));
      if (layer == 0) is_cpu.push_back(kind == DeviceKind::kCpu);
    }
  }
  for (const LinkId id : node.inner_links) {
    const Link& link = node.links[id.index()];
    if (carries(medium, link.kind)) add_edges(link, id);
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::pair(a.from, a.link) < std::pair(b.from, b.link);
  });
  for (const Edge& edge : edges) boost::add_edge(edge.from, edge.to, edge.capacity, graph);
}

void NodeRouter::Search::add_edges(const Link& link, LinkId id) {
  const std::int64_t capacity = link.capacity.bytes_per_second;
  const std::size_t from = local(link.from);
  const std::size_t to = local(link.to);
  const std::size_t landing = layers == 2 && is_cpu[to] ? to + size : to;
  edges.push_back({from, landing, id, capacity});
  if (layers == 2) edges.push_back({from + size, to + size, id, capacity});
}

std::size_t NodeRouter::Search::local(DeviceId device) const {
  const auto at = std::lower_bound(members.begin(), members.end(), device);
  return static_cast<std::size_t>(at - members.begin());
}

std::size_t NodeRouter::Search::start(DeviceId device) const {
  const std::size_t place = local(device);
  return layers == 2 && is_cpu[place] ? place + size : place;
}

std::vector<Cost> NodeRouter::Search::costs(std::size_t source) const {
  std::vector<Cost> cost(size * layers, kUnreachable);
  const boost::filtered_graph open(graph, MayLeave{&graph, &may_forward, source});
  boost::dijkstra_shortest_paths(open, source,
                                 boost::distance_map(cost.data())
                                     .distance_compare(&better)
                                     .distance_combine(&extend)
                                     .distance_inf(kUnreachable)
                                     .distance_zero(Cost{}));
  return cost;
}

/// The edge over which the best route enters each state; null for unreachable ones.
std::vector<const NodeRouter::Search::Edge*> NodeRouter::Search::entries(std::size_t source) const {
  const std::vector<Cost> cost = costs(source);
  std::vector<const Edge*> entry(cost.size(), nullptr);
  for (const Edge& edge : edges) {
    if (cost[edge.from] == kUnreachable || entry[edge.to] != nullptr) continue;
    if (edge.from != source && !may_forward[edge.from]) continue;
    if (extend(cost[edge.from], edge.capacity) == cost[edge.to]) entry[edge.to] = &edge;
  }
  return entry;
}

std::vector<Path> NodeRouter::Search::paths(DeviceId source,
                                            std::span<const DeviceId> targets) const {
  const std::size_t first = start(source);
  const std::vector<const Edge*> entry = entries(first);
  std::vector<Path> found(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == source) continue;
    for (const Edge* edge = entry[goal(targets[i])]; edge; edge = entry[edge->from]) {
      found[i].push_back(edge->link);
    }
    std::reverse(found[i].begin(), found[i].end());
  }
  return found;
}

NodeRouter::NodeRouter(const NodeView& node)
    : nvlink_(std::make_unique<Search>(node, Medium::kNvlink)),
      pcie_(std::make_unique<Search>(node, Medium::kPcie)),
      staged_(std::make_unique<Search>(node, Medium::kHostStaged)),
      relay_(std::make_unique<NvlinkRelay>(node)) {}

NodeRouter::~NodeRouter() = default;

std::vector<Path> NodeRouter::paths(DeviceId source, std::span<const DeviceId> targets,
                                    RouteKind kind) const {
  if (kind == RouteKind::kHostStaged) return staged_->paths(source, targets);
  std::vector<Path> best = nvlink_->paths(source, targets);
  const std::vector<Path> over_pcie = pcie_->paths(source, targets);
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i].empty()) best[i] = relay_->path(source, targets[i]);
    if (best[i].empty()) best[i] = over_pcie[i];
  }
  return best;
}

}  // namespace heddle::fabric
