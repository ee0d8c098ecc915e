#include "hw_models/catalog.h"

#include <functional>
#include <utility>

#include "hw_models/comm_reader.h"
#include "hw_models/data_folder.h"
#include "hw_models/gpu_reader.h"
#include "hw_models/nccl_tables.h"
#include "hw_models/node_fabric.h"
#include "hw_models/overlay.h"
#include "hw_models/topology_wiring.h"
#include "sim/io/nvidia_smi_topo.h"

namespace heddle::hw_models {
namespace {

struct Node {
  NodeModel model;
  NodeLinks links;
  std::string path;
};

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

  std::optional<model::GpuModel> gpu(const std::string& name, Diagnostics& out) const override {
    const auto file = files_.find("gpus", "GPU", name, out);
    if (!file) return std::nullopt;
    auto read = read_gpu(*file, out);
    return read ? std::optional(std::move(read->gpu)) : std::nullopt;
  }

  std::optional<fabric::Fabric> node(const std::string& name, Diagnostics& out) const override {
    const std::optional<Node> node = load(name, out);
    if (!node) return std::nullopt;
    return build_fabric(name, node->path, node->model, node->links, wiring_of(node->model), out);
  }

  std::optional<collective::NcclTuning> nccl_tuning(const std::string& architecture,
                                                    const std::string& version,
                                                    Diagnostics& out) const override {
    return find_nccl(files_, architecture, version, out);
  }

  std::optional<fabric::Fabric> from_topology(const std::string& text, const std::string& file,
                                              const std::string& like_node,
                                              Diagnostics& out) const override {
    const std::optional<Node> like = load(like_node, out);
    const auto matrix = io::read_nvidia_smi_topo(text, file, out);
    if (!like || !matrix) return std::nullopt;
    const auto wiring = wiring_of(*matrix, like->model, file, out);
    if (!wiring) return std::nullopt;
    return build_fabric(file, file, like->model, like->links, *wiring, out);
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

  std::uint64_t content_hash() const override { return files_.content_hash(); }

 private:
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

  std::optional<Node> load(const std::string& name, Diagnostics& out) const {
    const auto file = files_.find("nodes", "node", name, out);
    if (!file) return std::nullopt;
    auto model = read_node(*file, out);
    if (!model) return std::nullopt;
    NodeLinks links;
    // All of them, so that every problem is reported at once.
    const bool has_pcie = load_link(model->pcie, fabric::LinkKind::kPcie, links.pcie, out);
    const bool has_interconnect =
        load_link(model->interconnect, fabric::LinkKind::kCpuInterconnect, links.interconnect, out);
    const bool has_nvlink = model->wiring == NvlinkWiring::kNone ||
                            load_link(model->nvlink, fabric::LinkKind::kNvlink, links.nvlink, out);
    const bool has_comm = load_comm(*model, out);
    if (!has_pcie || !has_interconnect || !has_nvlink || !has_comm) return std::nullopt;
    return Node{std::move(*model), std::move(links), file->path};
  }

  bool load_comm(NodeModel& node, Diagnostics& out) const {
    const auto file = files_.find("comm", "comm", node.comm_name, out);
    auto read = file ? read_comm(*file, out) : std::nullopt;
    if (!read) return false;
    node.comm = std::move(read->comm);
    return true;
  }

  bool load_link(const std::string& name, fabric::LinkKind kind, LinkModel& link,
                 Diagnostics& out) const {
    const auto file = files_.find("links", "link", name, out);
    auto read = file ? read_link(*file, out) : std::nullopt;
    if (!read) return false;
    link = std::move(*read);
    if (link.kind == kind) return true;
    out.error("wrong-link-kind", file->path, "/kind", 0,
              name + " is used as " + std::string(to_string(kind)), "name another link file");
    return false;
  }

  DataFolder files_;
};

}  // namespace

std::unique_ptr<run::HardwareCatalog> open_catalog(const std::string& folder) {
  return std::make_unique<FolderCatalog>(folder);
}

}  // namespace heddle::hw_models
