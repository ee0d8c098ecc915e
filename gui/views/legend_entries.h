#pragma once
// The legends of what a case really has: colours that do not occur are not explained.

#include <vector>

#include "gui/views/legend.h"

namespace heddle::gui {

class CaseView;
class LaneSet;
class MemorySeries;

std::vector<LegendEntry> lane_legend(const LaneSet& lanes);
/// In the order in which they are stacked, bottom first.
std::vector<LegendEntry> memory_legend(const std::vector<const CaseView*>& views);
std::vector<LegendEntry> memory_legend(const MemorySeries& memory);

}  // namespace heddle::gui
