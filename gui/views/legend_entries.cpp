#include "gui/views/legend_entries.h"

#include <algorithm>
#include <array>

#include "gui/models/case_view.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

constexpr std::array<const char*, kPaintCount> kPaintNames{
    "setup",          "forward",          "loss",
    "backward",       "reduction",        "optimizer",
    "step end",       "all-reduce",       "all-gather",
    "reduce-scatter", "other collective", "waiting for comm"};

using LayersSeen = std::array<bool, kLayerCount>;

void look_for_layers(const MemorySeries& memory, LayersSeen& seen) {
  for (const MemoryMoment& moment : memory.moments()) {
    for (std::size_t l = 0; l < kLayerCount; ++l) seen[l] = seen[l] || moment.layers[l] > 0;
  }
}

std::vector<LegendEntry> entries_of(const LayersSeen& seen) {
  std::vector<LegendEntry> out;
  for (std::size_t l = 0; l < kLayerCount; ++l) {
    const auto name = layer_name(l);
    if (seen[l]) {
      out.push_back(
          {theme().layers[l], QString::fromUtf8(name.data(), static_cast<int>(name.size()))});
    }
  }
  return out;
}

}  // namespace

std::vector<LegendEntry> lane_legend(const LaneSet& lanes) {
  std::array<bool, kPaintCount> seen{};
  for (const Lane& lane : lanes.lanes()) {
    for (const LaneBox& box : lane.index.boxes()) seen[static_cast<std::size_t>(box.paint)] = true;
  }
  std::vector<LegendEntry> out;
  for (std::size_t p = 0; p < kPaintCount; ++p) {
    const bool wait = p == static_cast<std::size_t>(Paint::kWait);
    if (seen[p]) out.push_back({theme().paints[p], kPaintNames[p], wait});
  }
  return out;
}

std::vector<LegendEntry> memory_legend(const std::vector<const CaseView*>& views) {
  LayersSeen seen{};
  for (const CaseView* view : views) look_for_layers(view->memory(), seen);
  return entries_of(seen);
}

std::vector<LegendEntry> memory_legend(const MemorySeries& memory) {
  LayersSeen seen{};
  look_for_layers(memory, seen);
  return entries_of(seen);
}

}  // namespace heddle::gui
