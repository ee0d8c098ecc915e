#include "validator/judge/gpu_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/io/file.h"
#include "sim/io/import/importers.h"

namespace heddle::judge {

double GpuFindings::reserved_error() const {
  if (measured_reserved.value == 0) return 0;
  return static_cast<double>(predicted_reserved.value) /
             static_cast<double>(measured_reserved.value) -
         1;
}

bool GpuFindings::reserved_agrees() const {
  return std::abs(reserved_error()) <= kReservedTolerance;
}

double GpuFindings::probe_effect(double median_step) const {
  return quiet && quiet->median > 0 ? median_step / quiet->median - 1 : 0;
}

Bytes peak_reserved(const engine::RunResult& predicted) {
  Bytes most;
  for (const engine::RankResult& rank : predicted.ranks) {
    if (rank.allocator) most = std::max(most, rank.allocator->peak_reserved.reserved);
  }
  return most;
}

Bytes peak_reserved(std::span<const execute::RankRun> runs) {
  Bytes most;
  for (const execute::RankRun& run : runs) most = std::max(most, run.peak_reserved);
  return most;
}

void read_topology(const std::string& path, GpuFindings& findings) {
  if (!std::filesystem::exists(path)) return;
  findings.topology = io::read_file(path);
  const auto importers = io::importers();
  const auto reader = std::find_if(importers.begin(), importers.end(), [](const auto& importer) {
    return importer.kind == io::ImportKind::kNcclTopoXml;
  });
  Diagnostics problems;
  const auto imported = reader->read(findings.topology, path, problems);
  findings.machine =
      imported ? fmt::format("{} GPUs, {} NICs", imported->gpus.size(), imported->nics.size())
               : "not read: " + format(problems.all().front());
}

}  // namespace heddle::judge
