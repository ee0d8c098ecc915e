#pragma once
// What a bundle of links carries in one direction, at a moment or as the mean of a stretch of time.

#include <optional>
#include <string>
#include <vector>

#include "gui/models/case_view.h"

namespace heddle::gui {

struct BundleLoad {
  double load = 0;      // bytes per second
  double capacity = 0;  // the same
  double share() const { return capacity > 0 ? load / capacity : 0; }
};

/// "78.0 %" of what the bundle carries.
std::string percent_text(const BundleLoad& load);

/// Without a moment: the mean over the last step.
BundleLoad bundle_load(const CaseView& view, const std::vector<fabric::LinkId>& links,
                       std::optional<double> moment);

}  // namespace heddle::gui
