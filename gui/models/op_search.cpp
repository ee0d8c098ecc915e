#include "gui/models/op_search.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace heddle::gui {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(lower(text.substr(at, end - at)));
    at = end + 1;
  }
  return words;
}

/// Where a word begins: "3" is not found in "13", "proj" is in "q_proj".
bool holds(const std::string& title, const std::string& word) {
  for (std::size_t at = title.find(word); at != std::string::npos; at = title.find(word, at + 1)) {
    if (at == 0 || std::isalnum(static_cast<unsigned char>(title[at - 1])) == 0) return true;
  }
  return false;
}

bool holds_all(const std::string& title, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return holds(title, word); });
}

}  // namespace

OpSearch::OpSearch(const LaneSet& lanes, const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return;
  for (std::size_t i = 0; i < lanes.lanes().size(); ++i) {
    const Lane& lane = lanes.lanes()[i];
    std::unordered_map<std::uint32_t, bool> known;  // by op: titles are dear
    for (const LaneBox& box : lane.index.boxes()) {
      if (box.paint == Paint::kWait) continue;
      const auto [entry, is_new] = known.try_emplace(box.op, false);
      if (is_new) entry->second = holds_all(lower(lanes.title(lane, box)), words);
      if (entry->second) found_.push_back({i, box});
    }
  }
  std::stable_sort(found_.begin(), found_.end(),
                   [](const LaneMark& a, const LaneMark& b) { return a.box.start < b.box.start; });
}

std::optional<std::size_t> OpSearch::next(double t, bool forward) const {
  if (found_.empty()) return std::nullopt;
  const auto begins = [](const LaneMark& mark) { return static_cast<double>(mark.box.start); };
  if (forward) {
    const auto after = std::partition_point(found_.begin(), found_.end(),
                                            [&](const LaneMark& m) { return begins(m) <= t; });
    return after == found_.end() ? 0 : static_cast<std::size_t>(after - found_.begin());
  }
  const auto at = std::partition_point(found_.begin(), found_.end(),
                                       [&](const LaneMark& m) { return begins(m) < t; });
  return at == found_.begin() ? found_.size() - 1
                              : static_cast<std::size_t>(at - found_.begin()) - 1;
}

}  // namespace heddle::gui
