#include "sim/io/import/topo_inferences.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sim/io/import/pci_ids.h"

namespace heddle::io {
namespace {

std::string rate_text(std::int64_t bytes_per_second) {
  return fmt::format("{:g} GB/s", static_cast<double>(bytes_per_second) * 1e-9);
}

class Inferrer {
 public:
  explicit Inferrer(const NcclTopo& topo) : topo_(topo) {}

  std::vector<Inference> infer() {
    if (!topo_.numbered && !topo_.gpus.empty()) numbers();
    for (std::size_t i = 0; i < topo_.gpus.size(); ++i) model(i);
    for (const NcclPci& pci : topo_.pcis) {
      unknown_bandwidth(pci);
      slow_uplink(pci);
    }
    return std::move(found_);
  }

 private:
  void add(std::string what, std::string value, std::string from, int line) {
    found_.push_back({std::move(what), std::move(value), std::move(from), line});
  }

  void numbers() {
    const int line = topo_.gpu(0).line;
    add("GPU numbers", fmt::format("0 to {} by bus id", topo_.gpus.size() - 1),
        "no <gpu dev=...>; nvidia-smi numbers GPUs by bus id", line);
    add("NVLink", "unknown", "a file without <gpu> elements tells no links; NCCL asks the driver",
        line);
  }

  void model(std::size_t i) {
    const NcclPci& pci = topo_.gpu(i);
    const std::string_view name = gpu_of_pci_id(pci.vendor, pci.device);
    if (name.empty()) return;
    add(fmt::format("model of GPU{}", topo_.gpu_number(i)), std::string(name),
        fmt::format("PCI id {}:{}", pci.vendor, pci.device), pci.line);
  }

  void unknown_bandwidth(const NcclPci& pci) {
    if (pci.bandwidth || pci.role == PciRole::kUnknown) return;
    add(fmt::format("PCIe of {}", pci.busid), "unknown (NCCL plans with 12 GB/s)",
        fmt::format("link_speed \"{}\", link_width {}", pci.link_speed, pci.link_width), pci.line);
  }

  /// Some switches misreport their upper port; NCCL believes it, and so must a copy of it.
  void slow_uplink(const NcclPci& pci) {
    if (pci.parent == kNoPci || !pci.bandwidth) return;
    const NcclPci& above = topo_.pcis[static_cast<std::size_t>(pci.parent)];
    if (!above.bandwidth || *above.bandwidth >= *pci.bandwidth) return;
    add(fmt::format("way of {} to its CPU", pci.busid),
        fmt::format("{} instead of {} per direction", rate_text(*above.bandwidth),
                    rate_text(*pci.bandwidth)),
        fmt::format("{} above it has \"{}\" x{}", above.busid, above.link_speed, above.link_width),
        pci.line);
  }

  const NcclTopo& topo_;
  std::vector<Inference> found_;
};

}  // namespace

std::vector<Inference> infer(const NcclTopo& topo) {
  return Inferrer(topo).infer();
}

}  // namespace heddle::io
