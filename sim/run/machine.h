#pragma once
// A place to run, resolved: the wiring, its GPU, the job's GPUs and how they talk.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/collective_model.h"
#include "sim/engine/background_flow.h"
#include "sim/fabric/fabric.h"
#include "sim/model/gpu.h"
#include "sim/run/hardware_catalog.h"
#include "sim/run/scenario.h"

namespace heddle::run {

/// Reads a file named by the scenario; throws Error when it cannot.
using ReadText = std::function<std::string(const std::string& path)>;

struct Machine {
  fabric::Fabric fabric;
  model::GpuModel gpu;
  std::vector<fabric::DeviceId> members;  // rank r runs on members[r]
  collective::NcclTuning tuning;          // NCCL's constants for the GPU
  collective::CollectiveModel world;
  std::vector<std::int64_t> speeds;  // ppb by rank; empty: all at full speed
  std::vector<engine::BackgroundFlow> background;
  GpuFacts gpu_facts = {};

  /// Of the job: more than members on a folded cluster, whose first ranks they are.
  int ranks() const {
    const auto here = static_cast<int>(members.size());
    return fabric.is_folded() ? here / fabric.node_count() * fabric.represented_nodes() : here;
  }
};

/// nullopt if the fabric has no such machine or GPU.
std::optional<fabric::DeviceId> find_gpu(const fabric::Fabric& fabric, const GpuPlace& place);

/// `file` is what names the choice, for diagnostics: unknown node or GPU number, no path, a wiring
/// or setting that is not modelled.
std::optional<Machine> resolve_machine(const FabricChoice& choice, const std::string& file,
                                       const HardwareCatalog& catalog, const ReadText& read,
                                       Diagnostics& out);

}  // namespace heddle::run
