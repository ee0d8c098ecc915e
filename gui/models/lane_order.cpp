#include "gui/models/lane_order.h"

#include <algorithm>

namespace heddle::gui {

void LaneOrder::set_lanes(const std::vector<Lane>& lanes) {
  lanes_.clear();
  auto before = order_.begin();  // where a new one would stand
  for (const Lane& lane : lanes) {
    lanes_.emplace_back(lane.group, lane.name);
    auto entry = std::find_if(order_.begin(), order_.end(),
                              [&](const Entry& e) { return e.key == lanes_.back(); });
    if (entry == order_.end()) entry = order_.insert(before, {lanes_.back()});
    before = entry + 1;
  }
  refresh();
}

void LaneOrder::refresh() {
  shown_.clear();
  for (const bool pinned : {true, false}) {
    for (const Entry& entry : order_) {
      if (entry.hidden || entry.pinned != pinned) continue;
      const auto lane = std::find(lanes_.begin(), lanes_.end(), entry.key);
      if (lane != lanes_.end()) shown_.push_back(static_cast<std::size_t>(lane - lanes_.begin()));
    }
  }
}

LaneOrder::Entry& LaneOrder::entry_of(std::size_t row) {
  const auto& key = lanes_[shown_[row]];
  return *std::find_if(order_.begin(), order_.end(), [&](const Entry& e) { return e.key == key; });
}

bool LaneOrder::is_pinned(std::size_t row) const {
  const auto& key = lanes_[shown_[row]];
  return std::any_of(order_.begin(), order_.end(),
                     [&](const Entry& e) { return e.key == key && e.pinned; });
}

void LaneOrder::toggle_pin(std::size_t row) {
  Entry& entry = entry_of(row);
  entry.pinned = !entry.pinned;
  refresh();
}

void LaneOrder::hide(std::size_t row) {
  entry_of(row).hidden = true;
  refresh();
}

void LaneOrder::show_all() {
  for (Entry& entry : order_) entry.hidden = false;
  refresh();
}

void LaneOrder::move(std::size_t from, std::size_t to) {
  if (from == to || is_pinned(from) != is_pinned(to)) return;
  const auto moved = order_.begin() + (&entry_of(from) - order_.data());
  const auto place = order_.begin() + (&entry_of(to) - order_.data());
  if (moved < place) {
    std::rotate(moved, moved + 1, place + 1);
  } else {
    std::rotate(place, moved, moved + 1);
  }
  refresh();
}

}  // namespace heddle::gui
