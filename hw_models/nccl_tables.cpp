#include "hw_models/nccl_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "hw_models/nccl_reader.h"
#include "sim/base/nearest_name.h"

namespace heddle::hw_models {
namespace {

using collective::NcclTuning;
using collective::NcclVersion;

/// Sorted by the first version covered; nullopt if a file is faulty.
std::optional<std::vector<NcclTuning>> tables_of(const DataFolder& files,
                                                 const std::string& architecture,
                                                 Diagnostics& out) {
  std::vector<NcclTuning> tables;
  for (const std::string& folder : files.folders("nccl")) {
    const std::string section = "nccl/" + folder;
    const std::vector<std::string> names = files.names(section);
    if (std::find(names.begin(), names.end(), architecture) == names.end()) continue;
    auto table = read_nccl(files.read(section, architecture), out);
    if (!table) return std::nullopt;
    tables.push_back(std::move(*table));
  }
  std::sort(tables.begin(), tables.end(), [](const NcclTuning& a, const NcclTuning& b) {
    return a.versions.since < b.versions.since;
  });
  return tables;
}

void report_architecture(const DataFolder& files, const std::string& architecture,
                         Diagnostics& out) {
  std::set<std::string> known;
  for (const std::string& folder : files.folders("nccl")) {
    for (const std::string& name : files.names("nccl/" + folder)) known.insert(name);
  }
  out.error("unknown-name", "", "", 0, fmt::format("unknown GPU architecture \"{}\"", architecture),
            suggest_name(architecture, std::vector<std::string>(known.begin(), known.end())));
}

std::string text(const collective::NcclVersionRange& range) {
  return range.until ? fmt::format("{} up to before {}", range.since.text(), range.until->text())
                     : fmt::format("{} and later", range.since.text());
}

void report_version(const std::vector<NcclTuning>& tables, const std::string& architecture,
                    const std::string& version, Diagnostics& out) {
  std::string known;
  for (const NcclTuning& table : tables) {
    known += (known.empty() ? "" : ", ") + text(table.versions);
  }
  out.error("unknown-nccl", "", "", 0,
            fmt::format("no constants of NCCL \"{}\" for {}", version, architecture),
            "known are " + known);
}

}  // namespace

std::shared_ptr<const NcclTables::Tables> NcclTables::of(const std::string& architecture,
                                                         Diagnostics& out) const {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(architecture);
  if (known != known_.end()) return known->second;
  auto tables = tables_of(files_, architecture, out);
  if (!tables) return nullptr;
  return known_[architecture] = std::make_shared<const Tables>(std::move(*tables));
}

std::optional<NcclTuning> NcclTables::find(const std::string& architecture,
                                           const std::string& version, Diagnostics& out) const {
  const auto tables = of(architecture, out);
  if (!tables) return std::nullopt;
  if (tables->empty()) {
    report_architecture(files_, architecture, out);
    return std::nullopt;
  }
  if (version.empty()) return tables->back();
  const std::optional<NcclVersion> wanted = NcclVersion::parse(version);
  const auto found = std::find_if(tables->begin(), tables->end(), [&](const NcclTuning& table) {
    return wanted && table.versions.covers(*wanted);
  });
  if (found != tables->end()) return *found;
  report_version(*tables, architecture, version, out);
  return std::nullopt;
}

}  // namespace heddle::hw_models
