#include "sim/cli/rings_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace heddle::cli {
namespace {

constexpr std::size_t kShownRanks = 16;
constexpr std::size_t kShownRings = 16;

std::string order_text(const std::vector<int>& positions, std::span<const int> ranks) {
  std::vector<int> order = positions;
  if (!ranks.empty()) {
    for (int& position : order) position = ranks[static_cast<std::size_t>(position)];
  }
  const std::size_t shown = std::min(order.size(), kShownRanks);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string text = fmt::format("{}", fmt::join(order.begin(), end, " -> "));
  if (shown < order.size()) text += fmt::format(" -> ... ({} more)", order.size() - shown);
  return text;
}

}  // namespace

std::string rings_text(const collective::CollectiveModel& group, std::span<const int> ranks) {
  const auto rings = group.rings();
  std::string text;
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < rings.size(); ++lines) {
    std::size_t end = begin;
    while (end < rings.size() && rings[end] == rings[begin]) ++end;
    if (lines == kShownRings) return text + fmt::format("  ({} more)\n", rings.size() - begin);
    text +=
        fmt::format("  {} x ring over ranks {}\n", end - begin, order_text(rings[begin], ranks));
    begin = end;
  }
  return text;
}

}  // namespace heddle::cli
