#include "gui/models/bundle_load.h"

#include <cmath>

namespace heddle::gui {

BundleLoad bundle_load(const CaseView& view, const std::vector<fabric::LinkId>& links,
                       std::optional<double> moment) {
  BundleLoad out;
  for (const fabric::LinkId id : links) {
    const auto capacity = static_cast<double>(view.fabric().link(id).capacity.bytes_per_second);
    out.capacity += capacity;
    out.load += moment ? static_cast<double>(view.links().load_at(id, std::llround(*moment)))
                       : view.links().mean_share(id, view.last_step()) * capacity;
  }
  return out;
}

}  // namespace heddle::gui
