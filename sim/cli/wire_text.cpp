#include "sim/cli/wire_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "sim/base/units_text.h"

namespace heddle::cli {
namespace {

/// The narrowest way of one kind between two GPUs of the job.
struct Way {
  Bandwidth narrowest;
  int lanes = 0;
  bool switched = false;
};

/// Grouped by kind; std::map keeps PathType's order, best first.
using Ways = std::map<fabric::PathType, Way>;

void add_pair(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
              Ways& ways) {
  const auto [entry, is_new] = ways.try_emplace(fabric.path_type(from, to));
  Way& way = entry->second;
  bool first = is_new;
  for (const fabric::LinkId id : fabric.route(from, to, fabric::RouteKind::kPeer)) {
    const fabric::Link& link = fabric.link(id);
    if (first || link.capacity < way.narrowest) {
      way.narrowest = link.capacity;
      way.lanes = link.lanes;
    }
    first = false;
    way.switched |= fabric.device(link.to).kind == fabric::DeviceKind::kNvSwitch;
  }
}

/// All pairs inside machines; of those between machines, one for each: the network joins them all.
Ways ways_between(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus) {
  std::map<int, std::vector<fabric::DeviceId>> by_node;
  for (const fabric::DeviceId id : gpus) by_node[fabric.device(id).node].push_back(id);
  Ways ways;
  for (const auto& [node, members] : by_node) {
    const fabric::DeviceId other = by_node.begin()->second.front();
    if (members.front() != other) add_pair(fabric, other, members.front(), ways);
    for (const fabric::DeviceId from : members) {
      for (const fabric::DeviceId to : members) {
        if (from != to) add_pair(fabric, from, to, ways);
      }
    }
  }
  return ways;
}

/// "network, 8 NICs of 400 Gbit/s per machine"
std::string network_words(const fabric::Fabric& fabric) {
  const auto nics = fabric.node_nics(0);
  for (const fabric::DeviceId nic : nics) {
    for (const fabric::LinkId id : fabric.out_links(nic)) {
      const fabric::Link& link = fabric.link(id);
      if (link.kind != fabric::LinkKind::kNetwork) continue;
      return fmt::format("network, {} NIC{} of {} Gbit/s per machine", nics.size(),
                         nics.size() == 1 ? "" : "s",
                         format_significant(link.capacity.gb_per_second() * 8, 3));
    }
  }
  return "network";
}

std::string words(fabric::PathType type, const Way& way) {
  switch (type) {
    case fabric::PathType::kNvlink:
      return way.switched ? fmt::format("NVLink x{} through NVSwitch", way.lanes)
                          : fmt::format("NVLink bridges x{}", way.lanes);
    case fabric::PathType::kNvb:
      return "NVLink through another GPU";
    case fabric::PathType::kC2c:
    case fabric::PathType::kP2c:
      return "chip-to-chip links";
    case fabric::PathType::kPix:
    case fabric::PathType::kPxb:
      return "PCIe switches";
    case fabric::PathType::kPhb:
      return "PCIe through one CPU";
    case fabric::PathType::kSys:
      return "PCIe across CPU sockets";
    case fabric::PathType::kPxn:
    case fabric::PathType::kNet:
      return "network";
    case fabric::PathType::kLocal:
    case fabric::PathType::kDisconnected:
      break;
  }
  return std::string(fabric::to_string(type));
}

}  // namespace

std::string wire_text(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus,
                      const collective::CommSettings& comm) {
  if (gpus.size() < 2) return "no wires used";
  if (!comm.p2p) return "staging through host memory (P2P off)";
  const Ways ways = ways_between(fabric, gpus);
  std::string text;
  for (const auto& [type, way] : ways) {
    if (!text.empty()) text += " + ";
    text += type == fabric::PathType::kNet ? network_words(fabric) : words(type, way);
    if (way.narrowest.bytes_per_second > 0) {
      text += fmt::format(" ({})", format_bandwidth(way.narrowest));
    }
  }
  return text;
}

std::string gpu_list_text(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus) {
  const auto all = fabric.gpus();
  if (fabric.node_count() > 1 && std::equal(gpus.begin(), gpus.end(), all.begin(), all.end())) {
    return fmt::format("all {}", gpus.size() / static_cast<std::size_t>(fabric.node_count()) *
                                     static_cast<std::size_t>(fabric.represented_nodes()));
  }
  std::string text;
  for (const fabric::DeviceId id : gpus) {
    const fabric::Device& gpu = fabric.device(id);
    if (!text.empty()) text += ',';
    if (fabric.node_count() > 1) text += fmt::format("{}:", gpu.node);
    text += fmt::format("{}", gpu.index);
  }
  return text;
}

}  // namespace heddle::cli
