#include "hw_models/catalog.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "hw_models/calibrated_overlay.h"
#include "hw_models/cluster.h"
#include "hw_models/cpu_reader.h"
#include "hw_models/gpu_reader.h"
#include "hw_models/import_fabric.h"
#include "hw_models/import_file.h"
#include "hw_models/nccl_tables.h"
#include "hw_models/overlay.h"
#include "hw_models/software_reader.h"

namespace heddle::hw_models {
namespace {

class FolderCatalog : public run::HardwareCatalog {
 public:
  explicit FolderCatalog(const std::string& folder) : files_(folder) {}

  std::vector<run::CatalogEntry> gpus() const override {
    return list("gpus", [](const DataFile& file, Diagnostics& out) {
      const auto gpu = read_gpu(file, out);
      return gpu ? std::optional(gpu->summary) : std::nullopt;
    });
  }

  std::vector<run::CatalogEntry> nodes() const override {
    return list("nodes", [](const DataFile& file, Diagnostics& out) {
      const auto node = read_node(file, out);
      return node ? std::optional(node->summary) : std::nullopt;
    });
  }

  std::vector<run::CatalogEntry> networks() const override {
    return list("networks", [](const DataFile& file, Diagnostics& out) {
      const auto network = read_network(file, out);
      return network ? std::optional(network->summary) : std::nullopt;
    });
  }

  std::optional<model::GpuModel> gpu(const std::string& name, Diagnostics& out) const override {
    const auto file = files_.find("gpus", "GPU", name, out);
    if (!file) return std::nullopt;
    auto read = read_gpu(*file, out);
    return read ? std::optional(std::move(read->gpu)) : std::nullopt;
  }

  run::GpuFacts gpu_facts(const std::string& name) const override {
    Diagnostics told_by_gpu;
    const auto file = files_.find("gpus", "GPU", name, told_by_gpu);
    const auto read = file ? read_gpu(*file, told_by_gpu) : std::nullopt;
    return read ? read->facts : run::GpuFacts{};
  }

  std::optional<fabric::Fabric> node(const std::string& name, Diagnostics& out) const override {
    const auto node = load_node(files_, name, out);
    if (!node) return std::nullopt;
    return build_fabric(name, node->path, node->model, node->links, wiring_of(node->model), out);
  }

  std::optional<fabric::Fabric> cluster(const std::string& name, int nodes,
                                        const std::string& network,
                                        Diagnostics& out) const override {
    return joined(name, nodes, Machines::kAll, network, out);
  }

  std::optional<fabric::Fabric> folded_cluster(const std::string& name, int nodes,
                                               const std::string& network,
                                               Diagnostics& out) const override {
    return joined(name, nodes, Machines::kFolded, network, out);
  }

  std::optional<collective::NcclTuning> nccl_tuning(const std::string& architecture,
                                                    const std::string& version,
                                                    Diagnostics& out) const override {
    return nccl_.find(architecture, version, out);
  }

  std::optional<fabric::Fabric> from_import(const run::ImportedText& source,
                                            Diagnostics& out) const override {
    auto imported = import_fabric(source, shelf(), out);
    return imported ? std::optional(std::move(imported->fabric)) : std::nullopt;
  }

  std::optional<std::string> fabric_file(const run::ImportedText& source,
                                         Diagnostics& out) const override {
    const auto imported = import_fabric(source, shelf(), out);
    return imported ? std::optional(import_file(*imported, source, files_)) : std::nullopt;
  }

  std::vector<run::CatalogEntry> software() const override {
    return list("software", [](const DataFile& file, Diagnostics& out) {
      const auto software = read_software(file, out);
      return software ? std::optional(software->summary) : std::nullopt;
    });
  }

  std::optional<model::GpuModel> with_software(const model::GpuModel& gpu, const std::string& name,
                                               Diagnostics& out) const override {
    const auto file = files_.find("software", "software", name, out);
    const auto software = file ? read_software(*file, out) : std::nullopt;
    return software ? apply(*software, gpu, out) : std::nullopt;
  }

  std::vector<run::CatalogEntry> overlays() const override {
    return list("overlays", [](const DataFile& file, Diagnostics& out) {
      const auto overlay = read_overlay(file, out);
      return overlay ? std::optional(overlay->summary) : std::nullopt;
    });
  }

  std::optional<fabric::CommParameters> overlaid(const fabric::CommParameters& comm,
                                                 const run::OverlaySource& source,
                                                 Diagnostics& out) const override {
    std::optional<DataFile> file;
    if (source.text) {
      file = DataFile{source.name, "", *source.text};
    } else {
      file = files_.find("overlays", "overlay", source.name, out);
    }
    const auto overlay = file ? read_overlay(*file, out) : std::nullopt;
    return overlay ? apply(*overlay, comm, file->path, out) : std::nullopt;
  }

  std::string overlay_text(const run::CalibratedValues& values) const override {
    return write_overlay(overlay_of(values));
  }

  std::uint64_t content_hash() const override { return files_.content_hash(); }

 private:
  std::optional<fabric::Fabric> joined(const std::string& name, int nodes, Machines machines,
                                       const std::string& network, Diagnostics& out) const {
    const auto node = load_node(files_, name, out);
    const auto named = parse_network_name(network, out);
    if (!node || !named) return std::nullopt;
    const std::string& chosen = named->preset.empty() ? node->model.network : named->preset;
    if (chosen.empty()) {
      out.error("no-network", "", "", 0,
                fmt::format("{} x {}, and no network joins them", nodes, name),
                "name one as \"network\"; see heddle list networks");
      return std::nullopt;
    }
    const auto found = load_network(files_, chosen, out);
    if (!found) return std::nullopt;
    return build_cluster(files_, name, *node, wiring_of(node->model), nodes, machines, *found,
                         named->nics, out);
  }

  using ReadSummary = std::function<std::optional<std::string>(const DataFile&, Diagnostics&)>;

  /// A faulty file is listed with its first fault: a list must not fail because of one entry.
  std::vector<run::CatalogEntry> list(const std::string& section, const ReadSummary& read) const {
    std::vector<run::CatalogEntry> entries;
    for (const std::string& name : files_.names(section)) {
      Diagnostics out;
      const auto summary = read(files_.read(section, name), out);
      entries.push_back({name, summary ? *summary : "faulty: " + out.all().front().message});
    }
    return entries;
  }

  ImportShelf shelf() const {
    return {files_.names("nodes"), files_.names("gpus"),
            [this](const std::string& name, Diagnostics& out) -> std::optional<NodeParts> {
              auto node = load_node(files_, name, out);
              if (!node) return std::nullopt;
              return NodeParts{std::move(node->model), std::move(node->links)};
            },
            [this](const io::NcclCpu& cpu) { return wire_of(cpu); }};
  }

  /// A faulty file of cpus/ is not found; the tests read them all.
  std::optional<LinkModel> wire_of(const io::NcclCpu& cpu) const {
    Diagnostics faults;
    std::vector<CpuModel> known;
    for (const std::string& name : files_.names("cpus")) {
      if (auto model = read_cpu(files_.read("cpus", name), faults)) {
        known.push_back(std::move(*model));
      }
    }
    const CpuModel* found = find_cpu(known, cpu);
    if (found == nullptr) return std::nullopt;
    return load_link(files_, found->interconnect, fabric::LinkKind::kCpuInterconnect, faults);
  }

  DataFolder files_;
  NcclTables nccl_{files_};
};

}  // namespace

std::unique_ptr<run::HardwareCatalog> open_catalog(const std::string& folder) {
  return std::make_unique<FolderCatalog>(folder);
}

}  // namespace heddle::hw_models
