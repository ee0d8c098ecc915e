#include "sim/io/import/nccl_topo_check.h"

#include <fmt/format.h>

#include <map>

#include "sim/io/import/xml_fields.h"

namespace heddle::io {
namespace {

class Checker {
 public:
  Checker(const NcclTopo& topo, const std::string& file, Diagnostics& out)
      : topo_(topo), fields_(file, out) {}

  void check(int line) {
    if (topo_.cpus.empty()) {
      fields_.fail("nccl-no-cpu", line, "no <cpu> inside <system>",
                   "give the file NCCL writes with NCCL_TOPO_DUMP_FILE, or a NCCL_TOPO_FILE");
    }
    check_numa();
    check_numbers();
    check_roles();
    if (topo_.gpus.empty() && !topo_.cpus.empty()) warn_no_gpu(line);
    if (!topo_.gpus.empty() && !topo_.numbered) warn_no_links(line);
    check_targets();
    check_symmetry();
  }

 private:
  void check_numa() {
    std::map<std::string_view, int> line_of;
    for (const NcclCpu& cpu : topo_.cpus) {
      if (cpu.numa.empty()) continue;
      const auto [first, fresh] = line_of.try_emplace(cpu.numa, cpu.line);
      if (fresh) continue;
      fields_.fail("nccl-numa", cpu.line,
                   fmt::format("NUMA node {} is also in line {}", cpu.numa, first->second),
                   "every <cpu> is a NUMA node of its own");
    }
  }

  void check_numbers() {
    if (!topo_.numbered) return;
    for (std::size_t i = 1; i < topo_.gpus.size(); ++i) {
      if (topo_.gpu_number(i) != topo_.gpu_number(i - 1)) continue;
      fields_.fail(
          "nccl-gpus", topo_.gpu(i).gpu->line,
          fmt::format("GPU {} is also in line {}", topo_.gpu_number(i), topo_.gpu(i - 1).gpu->line),
          "every GPU has a dev of its own");
    }
  }

  /// Devices whose kind nothing tells, and GPUs the job did not use.
  void check_roles() {
    int unknown = 0;
    int first = 0;
    for (const NcclPci& pci : topo_.pcis) {
      if (pci.role == PciRole::kUnknown && unknown++ == 0) first = pci.line;
      if (pci.role != PciRole::kGpu || !topo_.numbered || pci.gpu) continue;
      fields_.warn("nccl-gpu-unused", pci.line,
                   fmt::format("{} has a GPU's class but no <gpu>: left out", pci.busid),
                   "dump the topology with a job that uses all GPUs");
    }
    if (unknown == 0) return;
    fields_.warn(
        "nccl-class", first,
        fmt::format("{} of {} PCI devices have no class: what they are is not known", unknown,
                    topo_.pcis.size()),
        "NCCL asks the machine; give it class=\"0x030200\" (GPU) or \"0x020000\" (NIC), or "
        "dump the file there with NCCL_TOPO_DUMP_FILE");
  }

  void warn_no_gpu(int line) {
    fields_.warn("nccl-no-gpu", line, "no device is known to be a GPU",
                 "dump the file on the machine with NCCL_TOPO_DUMP_FILE");
  }

  void warn_no_links(int line) {
    fields_.warn("nccl-no-links", line,
                 "no <gpu> elements: NVLinks and GPU numbers are not told, NCCL asks the driver",
                 "dump the file on the machine with NCCL_TOPO_DUMP_FILE, or name a node like it");
  }

  void check_targets() {
    for (std::size_t i = 0; i < topo_.gpus.size(); ++i) {
      if (!topo_.gpu(i).gpu) continue;
      for (const NcclLink& link : topo_.gpu(i).gpu->links) check_target(i, link);
    }
  }

  void check_target(std::size_t gpu, const NcclLink& link) {
    if (link.target.empty() || link.target_class.starts_with("0x0680")) return;
    const auto target = topo_.gpu_at(link.target);
    if (!target) {
      fields_.warn("nccl-link-outside", link.line,
                   fmt::format("{} links of GPU {} lead to {}, which is not in this file: left out",
                               link.count, topo_.gpu_number(gpu), link.target),
                   "dump the topology with a job that uses all GPUs");
    } else if (*target == gpu) {
      fields_.warn("nccl-link-self", link.line,
                   fmt::format("{} links of GPU {} lead to itself: their other end is not told",
                               link.count, topo_.gpu_number(gpu)),
                   "files for virtual machines do this; name the bus id of the bridged GPU");
    }
  }

  void check_symmetry() {
    const LinkCounts counts = count_gpu_links(topo_);
    for (std::size_t a = 0; a < counts.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (counts[a][b] == counts[b][a]) continue;
        fields_.warn(
            "nccl-asymmetric", topo_.gpu(a).line,
            fmt::format("GPU {} has {} links to GPU {}, which has {} back", topo_.gpu_number(a),
                        counts[a][b], topo_.gpu_number(b), counts[b][a]));
      }
    }
  }

  const NcclTopo& topo_;
  XmlFields fields_;
};

}  // namespace

void check_nccl_topo(const NcclTopo& topo, int line, const std::string& file, Diagnostics& out) {
  Checker(topo, file, out).check(line);
}

}  // namespace heddle::io
