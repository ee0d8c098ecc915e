#pragma once
// cpus/*.json, schema "heddle.cpu/1": which processors there are, as far as NCCL tells them apart,
// and the wire between two of a kind.

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "hw_models/data_file.h"
#include "sim/io/import/nccl_topo.h"

namespace heddle::hw_models {

struct CpuModel {
  std::string name;
  std::string arch;                           // "x86_64", "arm64", "ppc64"
  std::string vendor;                         // CPUID vendor; empty: any
  std::optional<int> family;                  // CPUID family; none: any
  std::optional<std::pair<int, int>> models;  // CPUID model, first and last; none: any
  std::string interconnect;                   // file in links/
};

std::optional<CpuModel> read_cpu(const DataFile& file, Diagnostics& out);

/// nullptr where the text does not say enough, or none is like it.
const CpuModel* find_cpu(std::span<const CpuModel> known, const io::NcclCpu& cpu);

}  // namespace heddle::hw_models
