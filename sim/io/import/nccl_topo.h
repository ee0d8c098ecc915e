#pragma once
// A machine as NCCL's topology XML describes it (src/graph/xml.cc, topo.cc): CPUs (one per NUMA
// node), the PCI devices below them as a tree, and the links of the GPUs. Other texts that tell the
// same (lstopo) fill it too.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

inline constexpr int kNoPci = -1;
inline constexpr int kMaxGpuLinks = 64;  // of one GPU to one device; sums of them stay in an int

enum class NcclLinkKind { kNvlink, kXgmi, kC2c };

/// `count` equal links from one GPU to the device at `target`.
struct NcclLink {
  NcclLinkKind kind = NcclLinkKind::kNvlink;
  std::string target;        // bus id, lower case; empty for kC2c: the GPU's own CPU
  std::string target_class;  // "0x068000" is an NVSwitch, "0x068001" a CPU
  int count = 0;
  int mb_per_second = 0;  // of one link, kC2c only
  int line = 0;
};

/// What only a GPU that NCCL was asked for tells; a static file has none of it.
struct NcclGpu {
  int dev = 0;      // as CUDA counts
  int sm = 0;       // compute capability times 10; on AMD the number of compute units
  std::string gcn;  // "gfx942", AMD only
  std::vector<NcclLink> links;
  int line = 0;
};

/// A port of a NIC.
struct NcclNet {
  std::string name;                        // "mlx5_0"; the bus id where the text names none
  std::optional<std::int64_t> mbit_per_s;  // none if not told
  int pci = kNoPci;                        // position in `pcis`; kNoPci: directly below the CPU
  int cpu = 0;
  int line = 0;
};

enum class PciRole { kSwitch, kGpu, kNic, kNvSwitch, kUnknown };

struct NcclPci {
  std::string busid;  // lower case, "0000:0f:00.0"
  std::string pci_class;
  std::string vendor, device, subsystem_vendor, subsystem_device;  // "0x10de"; empty if not told
  PciRole role = PciRole::kUnknown;
  std::string link_speed;  // as printed: "16.0 GT/s PCIe"; empty if not told
  int link_width = 0;      // lanes; 0 if not told
  /// Bytes/s per direction by NCCL's rule, width x rate; none where speed or width is not told.
  std::optional<std::int64_t> bandwidth;
  int parent = kNoPci;   // position in `pcis`; kNoPci: directly below the CPU
  int cpu = 0;           // position in `cpus`
  int host_bridge = -1;  // tells root complexes of one CPU apart; -1 if not told
  std::optional<NcclGpu> gpu;
  int line = 0;
};

struct NcclCpu {
  std::string numa;      // as printed: "0"
  std::string affinity;  // as printed: "00000000,00ffffff"
  std::string arch;      // "x86_64", "arm64", "ppc64"; empty if not told
  std::string vendor;    // "GenuineIntel"; empty if not told
  std::optional<int> family;
  std::optional<int> model;
  int line = 0;
};

struct NcclTopo {
  int version = 0;  // 1: NCCL, 2: RCCL; 0: not told
  std::vector<NcclCpu> cpus;
  std::vector<NcclPci> pcis;  // a parent stands before its children
  std::vector<NcclNet> nets;  // in the order of the text
  std::vector<int> gpus;      // positions in `pcis`, in the order of their numbers
  bool numbered = false;      // the text numbers its GPUs; else they are in the order of bus ids

  const NcclPci& gpu(std::size_t i) const { return pcis[static_cast<std::size_t>(gpus[i])]; }
  int gpu_number(std::size_t i) const;
  /// Position in `gpus`; none if no GPU has that bus id.
  std::optional<std::size_t> gpu_at(std::string_view busid) const;
  const NcclCpu& cpu_of(const NcclPci& pci) const {
    return cpus[static_cast<std::size_t>(pci.cpu)];
  }
};

/// Fills `gpus` and `numbered`: those with a <gpu> element by their number if there is one,
/// otherwise all of a GPU's class by bus id, as nvidia-smi counts them.
void number_gpus(NcclTopo& topo);

/// Links of each GPU to each other (also to itself, where a text says so), rows by position.
using LinkCounts = std::vector<std::vector<int>>;
LinkCounts count_gpu_links(const NcclTopo& topo);
/// Links of each GPU into NVSwitches.
std::vector<int> count_switch_links(const NcclTopo& topo);

}  // namespace heddle::io
