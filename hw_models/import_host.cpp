#include "hw_models/import_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest_name.h"
#include "sim/io/import/nvlink_reading.h"

namespace heddle::hw_models {
namespace {

class HostChoice {
 public:
  HostChoice(const io::Imported& imported, const run::ImportedText& source,
             const ImportShelf& shelf, std::vector<io::Inference>& inferences, Diagnostics& out)
      : imported_(imported), source_(source), shelf_(shelf), inferences_(inferences), out_(out) {}

  std::optional<NodeParts> choose() {
    const std::string gpu = source_.gpu.empty() ? model_in_text() : source_.gpu;
    if (!gpu.empty() && !is_known(gpu)) return std::nullopt;
    if (!source_.like_node.empty()) return like(gpu);
    if (gpu.empty()) {
      refuse_unknown_gpu();
      return std::nullopt;
    }
    return representative(gpu);
  }

 private:
  bool is_known(const std::string& gpu) {
    if (std::find(shelf_.gpus.begin(), shelf_.gpus.end(), gpu) != shelf_.gpus.end()) return true;
    out_.error("unknown-name", "", "", 0, fmt::format("unknown GPU \"{}\"", gpu),
               suggest_name(gpu, shelf_.gpus));
    return false;
  }

  /// The model all GPUs of the text are said to be, if hw_models has it under that name.
  std::string model_in_text() {
    if (imported_.gpus.empty()) return "";
    const std::string& model = imported_.gpus.front().model;
    const bool alike =
        std::all_of(imported_.gpus.begin(), imported_.gpus.end(),
                    [&model](const io::ImportedGpu& gpu) { return gpu.model == model; });
    const bool known =
        std::find(shelf_.gpus.begin(), shelf_.gpus.end(), model) != shelf_.gpus.end();
    return alike && known ? model : "";
  }

  std::optional<NodeParts> like(const std::string& gpu) {
    auto parts = shelf_.load(source_.like_node, out_);
    if (!parts || gpu.empty() || gpu == parts->model.gpu) return parts;
    // Another GPU in such a machine: its NVLinks are those of its own kind of node.
    auto own = find_representative(gpu);
    if (own) {
      parts->model.wiring = own->model.wiring;
      parts->model.links_per_gpu = own->model.links_per_gpu;
      parts->links.nvlink = own->links.nvlink;
      conclude("NVLinks of a GPU", fmt::format("{}", own->model.links_per_gpu),
               fmt::format("node preset {}", own->model.name));
    }
    parts->model.gpu = gpu;
    return parts;
  }

  /// The preset with that GPU that has as many as the text, otherwise the first by name.
  std::optional<NodeParts> find_representative(const std::string& gpu) {
    std::optional<NodeParts> first;
    for (const std::string& name : shelf_.nodes) {
      Diagnostics faults;  // a faulty preset is reported when it is asked for by name
      auto parts = shelf_.load(name, faults);
      if (!parts || parts->model.gpu != gpu) continue;
      if (parts->model.gpus == static_cast<int>(imported_.gpus.size())) return parts;
      if (!first) first = std::move(parts);
    }
    return first;
  }

  std::optional<NodeParts> representative(const std::string& gpu) {
    auto parts = find_representative(gpu);
    if (!parts) {
      out_.error("unknown-host", source_.file, "", 0,
                 fmt::format("no node preset has the GPU {}, so its CPU, PCIe and efficiencies are "
                             "not known",
                             gpu),
                 "name a node of the same kind as \"like\" (--like)");
      return std::nullopt;
    }
    conclude("CPU, PCIe, link speeds and efficiencies", parts->model.name,
             fmt::format("the node preset for {}; the text does not say", gpu));
    return parts;
  }

  void conclude(std::string what, std::string value, std::string from) {
    inferences_.push_back({std::move(what), std::move(value), std::move(from), 0});
  }

  void refuse_unknown_gpu() {
    const io::NvlinkReading reading =
        io::read_nvlinks(imported_.gpu_matrix, io::known_link_counts());
    std::string message = "the text does not say which GPU this is";
    int line = 0;
    if (reading.shape == io::NvlinkShape::kAmbiguous) {
      line = imported_.gpus[static_cast<std::size_t>(reading.fullest)].line;
      message = fmt::format(
          "NVLink can be read in two ways: as links dedicated to a pair (a bridge or mesh), or as "
          "a "
          "port into NVSwitch that all pairs share ({} links seen); {}",
          reading.most, message);
    }
    out_.error("unknown-gpu-model", source_.file, "", line, std::move(message),
               "name it as \"gpu\" (--gpu), see heddle list gpus: an SXM module means a switch, a "
               "card (NVL, PCIe) a bridge; or a node of the same kind as \"like\" (--like)");
  }

  const io::Imported& imported_;
  const run::ImportedText& source_;
  const ImportShelf& shelf_;
  std::vector<io::Inference>& inferences_;
  Diagnostics& out_;
};

}  // namespace

std::optional<NodeParts> choose_host(const io::Imported& imported, const run::ImportedText& source,
                                     const ImportShelf& shelf,
                                     std::vector<io::Inference>& inferences, Diagnostics& out) {
  return HostChoice(imported, source, shelf, inferences, out).choose();
}

}  // namespace heddle::hw_models
