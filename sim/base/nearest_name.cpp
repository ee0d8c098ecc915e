#include "sim/base/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace heddle {
namespace {

char fold(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (fold(a[i - 1]) == fold(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> candidates) {
  constexpr std::size_t kLongestTyped = 256;  // bounded work on hostile input
  if (typed.size() > kLongestTyped) return "";
  std::size_t best = std::max<std::size_t>(2, typed.size() / 3) + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(typed, candidate);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string suggest_name(std::string_view typed, std::span<const std::string> candidates) {
  constexpr std::size_t kLongestList = 12;
  const std::string near = nearest_name(typed, candidates);
  std::string known;
  for (std::size_t i = 0; i < std::min(candidates.size(), kLongestList); ++i) {
    known += (i ? ", " : "") + candidates[i];
  }
  if (candidates.size() > kLongestList) known += ", ...";
  if (near.empty()) return fmt::format("known: {}", known);
  return fmt::format("did you mean \"{}\"? known: {}", near, known);
}

}  // namespace heddle
