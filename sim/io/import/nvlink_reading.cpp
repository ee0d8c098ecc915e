#include "sim/io/import/nvlink_reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/base/number_text.h"

namespace heddle::io {
namespace {

constexpr std::array<int, 5> kLinkCounts = {4, 6, 8, 12, 18};
constexpr int kFewestWithSwitch = 6;

int row_sum(const std::vector<std::optional<std::string>>& row) {
  int sum = 0;
  for (const auto& cell : row) sum += nvlinks_of(cell);
  return sum;
}

std::vector<int> island_of(const TokenMatrix& matrix, std::size_t seed, std::vector<bool>& seen) {
  std::vector<int> island;
  std::vector<std::size_t> open = {seed};
  seen[seed] = true;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    island.push_back(static_cast<int>(at));
    for (std::size_t other = 0; other < matrix.size(); ++other) {
      const bool joined = nvlinks_of(matrix[at][other]) + nvlinks_of(matrix[other][at]) > 0;
      if (seen[other] || !joined) continue;
      seen[other] = true;
      open.push_back(other);
    }
  }
  std::sort(island.begin(), island.end());
  return island;
}

void find_islands(const TokenMatrix& matrix, NvlinkReading& reading) {
  std::vector<bool> seen(matrix.size(), false);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (seen[i]) continue;
    std::vector<int> island = island_of(matrix, i, seen);
    if (island.size() > 1) reading.islands.push_back(std::move(island));
  }
}

/// The one NV# inside the islands, 0 if they differ.
int uniform_links(const TokenMatrix& matrix, const std::vector<std::vector<int>>& islands) {
  std::set<int> counts;
  for (const std::vector<int>& island : islands) {
    for (const int i : island) {
      for (const int j : island) {
        const auto& token = matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        if (i != j && token) counts.insert(nvlinks_of(token));
      }
    }
  }
  return counts.size() == 1 ? *counts.begin() : 0;
}

int largest_pair(const TokenMatrix& matrix) {
  int most = 0;
  for (const auto& row : matrix) {
    for (const auto& cell : row) most = std::max(most, nvlinks_of(cell));
  }
  return most;
}

/// A pair with nobody else that shows all links.
bool has_lone_full_pair(const TokenMatrix& matrix, const NvlinkReading& reading, int links) {
  if (links < kFewestWithSwitch || matrix.size() != 2) return false;
  return reading.most == links;
}

NvlinkShape judge(const TokenMatrix& matrix, const NvlinkReading& reading, int links) {
  if (reading.most > links) return NvlinkShape::kShared;
  return has_lone_full_pair(matrix, reading, links) ? NvlinkShape::kAmbiguous
                                                    : NvlinkShape::kDedicated;
}

/// The link counts a GPU of this matrix can have: those that no pair exceeds and, where several
/// models are possible, those whose reading makes sense. A switch shows the same NV# everywhere.
std::vector<int> possible_counts(const TokenMatrix& matrix, const NvlinkReading& reading,
                                 std::span<const int> links_per_gpu) {
  std::vector<int> possible;
  for (const int links : links_per_gpu) {
    if (links < largest_pair(matrix)) continue;
    const bool may_share = reading.uniform > 0 && links >= kFewestWithSwitch;
    const bool shared = judge(matrix, reading, links) == NvlinkShape::kShared;
    if (shared && !may_share && links_per_gpu.size() > 1) continue;
    possible.push_back(links);
  }
  return possible;
}

NvlinkShape common_shape(const TokenMatrix& matrix, const NvlinkReading& reading,
                         const std::vector<int>& possible) {
  if (reading.most == 0) return NvlinkShape::kNone;
  if (possible.empty()) return NvlinkShape::kAmbiguous;  // more than any GPU known has
  std::set<NvlinkShape> shapes;
  for (const int links : possible) shapes.insert(judge(matrix, reading, links));
  return shapes.size() == 1 ? *shapes.begin() : NvlinkShape::kAmbiguous;
}

std::string explain(const NvlinkReading& reading, const std::vector<int>& links) {
  const std::string counts = fmt::format("{}", fmt::join(links, ", "));
  switch (reading.shape) {
    case NvlinkShape::kNone:
      return "no pair shows NVLink";
    case NvlinkShape::kShared:
      return fmt::format("a row adds up to {} links and a GPU has at most {}, so pairs share them",
                         reading.most, links.back());
    case NvlinkShape::kDedicated:
      return fmt::format("no row adds up to more links ({}) than a GPU has ({})", reading.most,
                         counts);
    case NvlinkShape::kAmbiguous:
      if (links.empty()) return "a pair shows more links than any known GPU has";
      return fmt::format(
          "{} links of a GPU with {}: dedicated to the pair (a bridge or mesh), or "
          "a port shared by all pairs (NVSwitch)",
          reading.most, counts);
  }
  return "";
}

}  // namespace

std::string_view to_string(NvlinkShape shape) {
  switch (shape) {
    case NvlinkShape::kNone:
      return "none";
    case NvlinkShape::kDedicated:
      return "dedicated";
    case NvlinkShape::kShared:
      return "switch";
    case NvlinkShape::kAmbiguous:
      return "ambiguous";
  }
  return "";
}

int nvlinks_of(const std::optional<std::string>& token) {
  if (!token || !token->starts_with("NV")) return 0;
  return whole_int(std::string_view(*token).substr(2), 1).value_or(0);
}

std::span<const int> known_link_counts() {
  return kLinkCounts;
}

NvlinkReading read_nvlinks(const TokenMatrix& matrix, std::span<const int> links_per_gpu) {
  NvlinkReading reading;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const int sum = row_sum(matrix[i]);
    if (sum <= reading.most) continue;
    reading.most = sum;
    reading.fullest = static_cast<int>(i);
  }
  find_islands(matrix, reading);
  reading.uniform = uniform_links(matrix, reading.islands);
  const std::vector<int> possible = possible_counts(matrix, reading, links_per_gpu);
  reading.shape = common_shape(matrix, reading, possible);
  reading.why = explain(reading, possible);
  return reading;
}

}  // namespace heddle::io
