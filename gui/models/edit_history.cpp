#include "gui/models/edit_history.h"

#include <algorithm>
#include <utility>

namespace heddle::gui {
namespace {

auto find_path(const Edits& edits, const std::string& path) {
  return std::find_if(edits.begin(), edits.end(), [&](const auto& e) { return e.first == path; });
}

}  // namespace

void EditHistory::clear() {
  states_.assign(1, State{});
  at_ = 0;
}

void EditHistory::push(std::string name, Edits edits) {
  states_.resize(at_ + 1);
  states_.push_back({std::move(name), std::move(edits)});
  ++at_;
}

void EditHistory::set(const std::string& path, const std::string& value) {
  Edits next = edits();
  const auto known = find_path(edits(), path);
  if (known == edits().end()) {
    next.emplace_back(path, value);
  } else {
    next[static_cast<std::size_t>(known - edits().begin())].second = value;
  }
  if (next != edits()) push(path + " = " + value, std::move(next));
}

bool EditHistory::set_all(std::string name, const Edits& wanted) {
  if (wanted == edits()) return false;
  push(std::move(name), wanted);
  return true;
}

bool EditHistory::reset(const std::string& path) {
  const auto known = find_path(edits(), path);
  if (known == edits().end()) return false;
  Edits next = edits();
  next.erase(next.begin() + (known - edits().begin()));
  push("reset " + path, std::move(next));
  return true;
}

bool EditHistory::undo() {
  if (!can_undo()) return false;
  --at_;
  return true;
}

bool EditHistory::redo() {
  if (!can_redo()) return false;
  ++at_;
  return true;
}

const std::string* EditHistory::find(const std::string& path) const {
  const auto known = find_path(edits(), path);
  return known == edits().end() ? nullptr : &known->second;
}

}  // namespace heddle::gui
