#include "gui/models/bundle_load.h"

#include <cmath>

#include "sim/cli/quantity_text.h"

namespace heddle::gui {

std::string percent_text(const BundleLoad& load) {
  return cli::percent_text(load.share()) + " %";
}

BundleLoad bundle_load(const CaseView& view, const std::vector<fabric::LinkId>& links,
                       std::optional<double> moment) {
  BundleLoad out;
  for (const fabric::LinkId id : links) {
    const auto capacity = static_cast<double>(view.fabric().link(id).capacity.bytes_per_second);
    out.capacity += capacity;
    out.load += moment ? static_cast<double>(view.links().load_at(id, std::llround(*moment)))
                       : view.mean_share(id) * capacity;
  }
  return out;
}

}  // namespace heddle::gui
