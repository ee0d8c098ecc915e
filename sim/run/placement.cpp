#include "sim/run/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/run/even_placement.h"
#include "sim/run/marked_sets.h"

namespace heddle::run {
namespace {

using fabric::DeviceId;

bool has_room(const fabric::Fabric& fabric, const PlacementRequest& request, std::size_t available,
              Diagnostics& out) {
  if (request.count >= 1 && static_cast<std::size_t>(request.count) <= available) return true;
  out.error("no-room", fabric.name(), "", 0,
            fmt::format("{} GPUs are asked for; {} of {} are free", request.count, available,
                        fabric.gpus().size()),
            "ask for at least one and at most as many as are free");
  return false;
}

std::vector<DeviceId> free_gpus(const fabric::Fabric& fabric, const PlacementRequest& request) {
  std::vector<DeviceId> found;
  for (const DeviceId gpu : fabric.gpus()) {
    if (std::find(request.busy.begin(), request.busy.end(), gpu) == request.busy.end()) {
      found.push_back(gpu);
    }
  }
  std::sort(found.begin(), found.end());  // sets of GPUs are kept by id
  return found;
}

/// Busy GPUs do nothing to a job, but while sets grow they are not a place to grow into.
fabric::Marks growing_marks(const fabric::Fabric& fabric, const PlacementRequest& request) {
  fabric::Marks marks = request.marks;
  marks.resize(fabric.devices().size(), 0);
  for (const DeviceId gpu : request.busy) marks[gpu.index()] = kBusyMark;
  return marks;
}

}  // namespace

std::optional<Placements> distinct_placements(const fabric::Fabric& fabric,
                                              const PlacementRequest& request, Diagnostics& out) {
  const std::vector<DeviceId> available = free_gpus(fabric, request);
  if (!has_room(fabric, request, available.size(), out)) return std::nullopt;
  if (fabric.gpus().size() > kMostGpusInDetail) {
    return even_placements(fabric, available, request, out);
  }
  const fabric::Symmetry symmetry(fabric);
  const auto grown = grow_sets(symmetry, growing_marks(fabric, request), available, request.count);
  if (!grown) {
    out.error(
        "too-many-placements", fabric.name(), "", 0,
        fmt::format("more than {} placements of {} GPUs differ", kMostPlacements, request.count),
        "exclude GPUs with --busy");
    return std::nullopt;
  }
  fabric::Marks marks = request.marks;
  marks.resize(fabric.devices().size(), 0);
  return Placements{distinct_sets(symmetry, marks, *grown), true};
}

}  // namespace heddle::run
