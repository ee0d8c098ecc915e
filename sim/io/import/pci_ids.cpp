#include "sim/io/import/pci_ids.h"

#include <array>

namespace heddle::io {
namespace {

struct PciId {
  std::string_view vendor;
  std::string_view device;
  std::string_view gpu;
};

constexpr std::string_view kNvidia = "0x10de";
constexpr std::string_view kAmd = "0x1002";

constexpr std::array kTable = {
    PciId{kNvidia, "0x15f9", "P100-SXM2-16GB"},
    PciId{kNvidia, "0x1db1", "V100-SXM2-16GB"},
    PciId{kNvidia, "0x1db4", "V100-PCIE-16GB"},
    PciId{kNvidia, "0x1db5", "V100-SXM2-32GB"},
    PciId{kNvidia, "0x1db6", "V100-PCIE-32GB"},
    PciId{kNvidia, "0x1db8", "V100-SXM3-32GB"},
    PciId{kNvidia, "0x1e07", "RTX-2080-Ti"},
    PciId{kNvidia, "0x20b0", "A100-SXM-40GB"},
    PciId{kNvidia, "0x20b2", "A100-SXM-80GB"},
    PciId{kNvidia, "0x20b5", "A100-PCIE-80GB"},
    PciId{kNvidia, "0x20f1", "A100-PCIE-40GB"},
    PciId{kNvidia, "0x2204", "RTX-3090"},
    PciId{kNvidia, "0x2230", "RTX-A6000"},
    PciId{kNvidia, "0x2235", "A40"},
    PciId{kNvidia, "0x2236", "A10"},
    PciId{kNvidia, "0x2237", "A10G"},
    PciId{kNvidia, "0x2321", "H100-NVL"},
    PciId{kNvidia, "0x2330", "H100-SXM-80GB"},
    PciId{kNvidia, "0x2331", "H100-PCIE-80GB"},
    PciId{kNvidia, "0x2335", "H200-SXM-141GB"},
    PciId{kNvidia, "0x233b", "H200-NVL-141GB"},
    PciId{kNvidia, "0x2342", "GH200"},
    PciId{kNvidia, "0x2684", "RTX-4090"},
    PciId{kNvidia, "0x26b1", "RTX-6000-Ada"},
    PciId{kNvidia, "0x26b9", "L40S"},
    PciId{kNvidia, "0x27b8", "L4"},
    PciId{kNvidia, "0x2901", "B200"},
    PciId{kAmd, "0x738c", "MI100"},
    PciId{kAmd, "0x7408", "MI250X"},
    PciId{kAmd, "0x740c", "MI250X"},
    PciId{kAmd, "0x740f", "MI210"},
    PciId{kAmd, "0x74a0", "MI300A"},
    PciId{kAmd, "0x74a1", "MI300X"},
    PciId{kAmd, "0x74a5", "MI325X"},
};

}  // namespace

std::string_view gpu_of_pci_id(std::string_view vendor, std::string_view device) {
  for (const PciId& id : kTable) {
    if (id.vendor == vendor && id.device == device) return id.gpu;
  }
  return {};
}

}  // namespace heddle::io
