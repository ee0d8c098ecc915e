#include "gui/models/fabric_layout.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::gui {
namespace {

using fabric::Device;
using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;

constexpr double kMachineGap = 0.7;  // slots
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

double tier_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kCpu:
      return 0;
    case DeviceKind::kPcieSwitch:
      return 1;
    case DeviceKind::kGpu:
    case DeviceKind::kNic:
      return 2;
    case DeviceKind::kNvSwitch:
      return 3;
    case DeviceKind::kNetSwitch:
      return 4;
  }
  return 0;
}

bool is_leaf(DeviceKind kind) {
  return kind == DeviceKind::kGpu || kind == DeviceKind::kNic;
}

/// Whatever hangs `device` onto its machine's CPUs; itself if nothing does.
DeviceId parent_of(const Fabric& fabric, DeviceId device) {
  for (const fabric::LinkId link : fabric.out_links(device)) {
    const DeviceId other = fabric.link(link).to;
    const DeviceKind kind = fabric.device(other).kind;
    if (kind == DeviceKind::kPcieSwitch || kind == DeviceKind::kCpu) return other;
  }
  return device;
}

class Layout {
 public:
  Layout(const Fabric& fabric, bool collapsed) : fabric_(fabric), collapsed_(collapsed) {}

  FabricLayout make() {
    vertex_of_.assign(fabric_.devices().size(), kNone);
    for (int node = 0; node < fabric_.node_count(); ++node) {
      collapsed_ ? add_machine(node) : place_machine(node);
    }
    place_network();
    bundle();
    for (const FabricVertex& v : out_.vertices) {
      out_.width = std::max(out_.width, v.x + 1);
      out_.height = std::max(out_.height, v.y + 1);
    }
    return std::move(out_);
  }

 private:
  void add(DeviceId device, double x, double y) {
    vertex_of_[device.index()] = out_.vertices.size();
    out_.vertices.push_back({device, fabric_.device(device).node, x, y});
  }

  /// One vertex for all devices of a machine, in a row of their own.
  void add_machine(int node) {
    for (std::size_t d = 0; d < fabric_.devices().size(); ++d) {
      if (fabric_.devices()[d].node == node) vertex_of_[d] = out_.vertices.size();
    }
    out_.vertices.push_back({DeviceId(), node, static_cast<double>(node), 0});
    next_x_ = node + 1.0;
  }

  std::vector<DeviceId> devices_of(int node) const {
    std::vector<DeviceId> out;
    for (std::size_t d = 0; d < fabric_.devices().size(); ++d) {
      if (fabric_.devices()[d].node == node) out.emplace_back(d);
    }
    return out;
  }

  /// GPUs and NICs in a row, neighbours below one switch; the tiers above and below over their
  /// middle.
  void place_machine(int node) {
    const std::vector<DeviceId> devices = devices_of(node);
    const double left = next_x_;
    place_leaves(devices);
    const auto rows = {DeviceKind::kPcieSwitch, DeviceKind::kCpu, DeviceKind::kNvSwitch};
    for (const DeviceKind kind : rows) place_row(devices, kind, left, next_x_ - 1);
    const bool empty = left == next_x_;
    if (empty) return;
    double top = 2;
    double bottom = 2;
    for (const DeviceId device : devices) {
      const std::size_t v = vertex_of_[device.index()];
      if (v == kNone) continue;
      top = std::min(top, out_.vertices[v].y);
      bottom = std::max(bottom, out_.vertices[v].y);
    }
    out_.machines.push_back({node, left - 0.5, next_x_ - 0.5, top - 0.5, bottom + 0.5});
    next_x_ += kMachineGap;
  }

  void place_leaves(const std::vector<DeviceId>& devices) {
    std::vector<std::tuple<int, std::size_t, DeviceKind, int, DeviceId>> leaves;
    for (const DeviceId id : devices) {
      const Device& device = fabric_.device(id);
      if (!is_leaf(device.kind)) continue;
      leaves.emplace_back(device.socket, parent_of(fabric_, id).index(), device.kind, device.index,
                          id);
    }
    // GPUs without a parent of their own keep the order of their numbers.
    std::sort(leaves.begin(), leaves.end());
    for (const auto& leaf : leaves) add(std::get<DeviceId>(leaf), next_x_++, 2);
  }

  /// Mean place of the placed neighbours of `device`; `otherwise` if there are none.
  double middle(DeviceId device, double otherwise) const {
    double sum = 0;
    int count = 0;
    for (const fabric::LinkId link : fabric_.out_links(device)) {
      const std::size_t v = vertex_of_[fabric_.link(link).to.index()];
      if (v == kNone) continue;
      sum += out_.vertices[v].x;
      ++count;
    }
    return count == 0 ? otherwise : sum / count;
  }

  void place_row(const std::vector<DeviceId>& devices, DeviceKind kind, double left, double right) {
    std::vector<DeviceId> row;
    for (const DeviceId id : devices) {
      if (fabric_.device(id).kind == kind) row.push_back(id);
    }
    place_spread(row, tier_of(kind), left, right);
  }

  /// Each over its neighbours, at least a slot apart, inside [left, right] if they fit.
  void place_spread(const std::vector<DeviceId>& row, double y, double left, double right) {
    std::vector<std::pair<double, DeviceId>> wanted;
    for (const DeviceId id : row) wanted.emplace_back(middle(id, (left + right) / 2), id);
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto count = static_cast<double>(wanted.size());
    const double apart = count > 1 ? std::min(1.0, (right - left) / (count - 1)) : 1;
    double sum = 0;
    double least = left;
    for (auto& [x, id] : wanted) {
      sum += x;
      x = std::max(x, least);
      least = x + apart;
    }
    double shift = 0;  // pushed to the right on the way: back to the middle of what was wanted
    for (const auto& [x, id] : wanted) shift += x;
    shift = count > 0 ? (sum - shift) / count : 0;
    for (const auto& [x, id] : wanted) add(id, x + shift, y);
  }

  /// Switches of the network by their distance from the machines.
  void place_network() {
    std::vector<DeviceId> tier;
    double y = collapsed_ ? 1 : 4;
    const double right = std::max(0.0, next_x_ - 1 - (collapsed_ ? 0 : kMachineGap));
    for (;; ++y) {
      tier.clear();
      for (std::size_t d = 0; d < fabric_.devices().size(); ++d) {
        if (vertex_of_[d] == kNone && touches_placed(DeviceId(d))) tier.emplace_back(d);
      }
      if (tier.empty()) return;
      place_spread(tier, y, 0, right);
    }
  }

  bool touches_placed(DeviceId device) const {
    const auto links = fabric_.out_links(device);
    return std::any_of(links.begin(), links.end(), [&](fabric::LinkId link) {
      return vertex_of_[fabric_.link(link).to.index()] != kNone;
    });
  }

  void bundle() {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
    for (std::size_t l = 0; l < fabric_.links().size(); ++l) {
      const fabric::Link& link = fabric_.links()[l];
      const std::size_t from = vertex_of_[link.from.index()];
      const std::size_t to = vertex_of_[link.to.index()];
      if (from == kNone || to == kNone || from == to) continue;
      const auto [place, is_new] = known.try_emplace(std::minmax(from, to), out_.bundles.size());
      if (is_new) out_.bundles.push_back({place->first.first, place->first.second, {}, {}});
      FabricBundle& bundle = out_.bundles[place->second];
      (bundle.a == from ? bundle.there : bundle.back).emplace_back(l);
    }
  }

  const Fabric& fabric_;
  bool collapsed_;
  FabricLayout out_;
  std::vector<std::size_t> vertex_of_;  // by device
  double next_x_ = 0;
};

}  // namespace

FabricLayout lay_out(const fabric::Fabric& fabric, bool collapsed) {
  return Layout(fabric, collapsed).make();
}

}  // namespace heddle::gui
