#include "sim/run/marked_sets.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/run/placement.h"

namespace heddle::run {
namespace {

// Above every mark a caller may give a GPU, so that chosen ones keep what sets them apart.
constexpr std::int64_t kChosen = std::int64_t{1} << 40;

fabric::Marks with_chosen(fabric::Marks marks, const GpuSet& set) {
  for (const fabric::DeviceId gpu : set) marks[gpu.index()] += kChosen;
  return marks;
}

GpuSet with(const GpuSet& set, fabric::DeviceId gpu) {
  GpuSet grown = set;
  grown.insert(std::upper_bound(grown.begin(), grown.end(), gpu), gpu);
  return grown;
}

}  // namespace

std::vector<GpuSet> distinct_sets(const fabric::Symmetry& symmetry, const fabric::Marks& marks,
                                  std::span<const GpuSet> sets) {
  std::vector<GpuSet> found;
  std::map<std::uint64_t, std::vector<fabric::Marks>> known;
  for (const GpuSet& set : sets) {
    fabric::Marks marked = with_chosen(marks, set);
    auto& alike = known[symmetry.invariant(marked)];
    const bool is_new = std::none_of(alike.begin(), alike.end(), [&](const fabric::Marks& other) {
      return symmetry.equivalent(other, marked);
    });
    if (!is_new) continue;
    found.push_back(set);
    alike.push_back(std::move(marked));
  }
  return found;
}

std::optional<std::vector<GpuSet>> grow_sets(const fabric::Symmetry& symmetry,
                                             const fabric::Marks& marks,
                                             std::span<const fabric::DeviceId> from, int count) {
  std::vector<GpuSet> sets{{}};
  for (int size = 1; size <= count; ++size) {
    std::set<GpuSet> grown;
    for (const GpuSet& set : sets) {
      for (const fabric::DeviceId gpu : from) {
        if (!std::binary_search(set.begin(), set.end(), gpu)) grown.insert(with(set, gpu));
      }
    }
    sets = distinct_sets(symmetry, marks, std::vector<GpuSet>(grown.begin(), grown.end()));
    if (sets.size() > kMostPlacements) return std::nullopt;
  }
  return sets;
}

}  // namespace heddle::run
