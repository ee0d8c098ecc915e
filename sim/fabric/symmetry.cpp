#include "sim/fabric/symmetry.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace heddle::fabric {
namespace {

using Signature = std::vector<std::int64_t>;

void add_to(StableHash& hash, const Signature& signature) {
  hash.add(std::uint64_t{signature.size()});
  for (const std::int64_t part : signature) hash.add(part);
}

/// Colours by the order of the signatures, and how many there are. The sorted signatures go into
/// `hash`, if there is one.
std::uint32_t name_colours(const std::vector<Signature>& signatures,
                           std::vector<std::uint32_t>& colours, StableHash* hash = nullptr) {
  std::vector<std::size_t> order(signatures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return signatures[a] < signatures[b]; });
  std::uint32_t colour = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && signatures[order[i]] != signatures[order[i - 1]]) ++colour;
    colours[order[i]] = colour;
    if (hash != nullptr) add_to(*hash, signatures[order[i]]);
  }
  return order.empty() ? 0 : colour + 1;
}

}  // namespace

Symmetry::Symmetry(const Fabric& fabric, std::optional<int> node) {
  std::vector<std::uint32_t> position(fabric.devices().size(), DeviceId::kNone);
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    const Device& device = fabric.devices()[i];
    if (node && device.node != *node) continue;
    position[i] = static_cast<std::uint32_t>(devices_.size());
    devices_.emplace_back(i);
    kinds_.push_back(static_cast<std::int64_t>(device.kind));
  }
  edges_.resize(devices_.size());
  using Label = std::tuple<LinkKind, std::int64_t, std::int64_t, int, bool>;
  std::map<Label, std::uint32_t> labels;
  for (const Link& link : fabric.links()) {
    const std::uint32_t from = position[link.from.index()];
    const std::uint32_t to = position[link.to.index()];
    if (from == DeviceId::kNone || to == DeviceId::kNone) continue;
    for (const bool outwards : {true, false}) {
      const Label label{link.kind, link.capacity.bytes_per_second, link.latency.ps, link.lanes,
                        outwards};
      const auto number = static_cast<std::uint32_t>(labels.size());
      const std::uint32_t name = labels.emplace(label, number).first->second;
      edges_[outwards ? from : to].push_back({outwards ? to : from, name});
    }
  }
}

Symmetry::Colours Symmetry::start(const Marks& a, const Marks* b, StableHash* hash) const {
  std::vector<Signature> signatures;
  for (const Marks* marks : {&a, b}) {
    if (marks == nullptr) continue;
    for (std::size_t i = 0; i < size(); ++i) {
      signatures.push_back({kinds_[i], (*marks)[devices_[i].index()]});
    }
  }
  Colours colours(signatures.size());
  name_colours(signatures, colours, hash);
  return colours;
}

/// Splits colours by the colours of their neighbours until nothing changes. The trail, if wanted,
/// is the same for graphs that it cannot tell apart.
void Symmetry::refine(Colours& colours, StableHash* trail) const {
  std::uint32_t count = 0;
  while (true) {
    std::vector<Signature> signatures(colours.size());
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const std::size_t base = i - i % size();
      Signature& signature = signatures[i];
      for (const Edge& edge : edges_[i % size()]) {
        signature.push_back((std::int64_t{edge.label} << 32) + colours[base + edge.to]);
      }
      std::sort(signature.begin(), signature.end());
      signature.insert(signature.begin(), std::int64_t{colours[i]});
    }
    StableHash round;
    const std::uint32_t found = name_colours(signatures, colours, trail ? &round : nullptr);
    if (trail != nullptr) trail->add(round.value());
    if (found == count) return;
    count = found;
  }
}

/// Whether the second copy can be laid on the first with equal colours.
bool Symmetry::match(Colours colours) const {
  refine(colours, nullptr);
  std::map<std::uint32_t, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> cells;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    auto& cell = cells[colours[i]];
    (i < size() ? cell.first : cell.second).push_back(i);
  }
  const std::pair<std::vector<std::size_t>, std::vector<std::size_t>>* smallest = nullptr;
  for (const auto& [colour, cell] : cells) {
    if (cell.first.size() != cell.second.size()) return false;
    if (cell.first.size() < 2) continue;
    if (smallest == nullptr || cell.first.size() < smallest->first.size()) smallest = &cell;
  }
  if (smallest == nullptr) return true;  // every device has its image, and the links agree
  const auto fresh = static_cast<std::uint32_t>(cells.size());
  for (const std::size_t image : smallest->second) {
    Colours tied = colours;
    tied[smallest->first.front()] = tied[image] = fresh;
    if (match(std::move(tied))) return true;
  }
  return false;
}

std::uint64_t Symmetry::invariant(const Marks& marks) const {
  StableHash first;
  Colours colours = start(marks, nullptr, &first);
  StableHash trail;
  refine(colours, &trail);
  return StableHash().add(first.value()).add(trail.value()).value();
}

bool Symmetry::equivalent(const Marks& a, const Marks& b) const {
  return match(start(a, &b, nullptr));
}

}  // namespace heddle::fabric
