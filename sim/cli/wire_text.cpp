#include "sim/cli/wire_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

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
  Ways ways;
  for (const fabric::DeviceId from : gpus) {
    for (const fabric::DeviceId to : gpus) {
      if (from != to) add_pair(fabric, from, to, ways);
    }
  }
  std::string text;
  for (const auto& [type, way] : ways) {
    if (!text.empty()) text += " + ";
    text += words(type, way);
    if (way.narrowest.bytes_per_second > 0) {
      text += fmt::format(" ({})", format_bandwidth(way.narrowest));
    }
  }
  return text;
}

std::string gpu_list_text(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus) {
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
