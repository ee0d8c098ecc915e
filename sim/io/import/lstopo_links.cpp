#include "sim/io/import/lstopo_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/number_text.h"
#include "sim/io/import/pci_ids.h"
#include "sim/io/import/xml_fields.h"

namespace heddle::io {
namespace {

constexpr std::size_t kMaxObjects = 2048;
constexpr const char* kHint = "write the file with `lstopo topology.xml` and leave it as it is";

std::vector<std::string_view> words_of(const XmlElement& matrix, std::string_view child_name) {
  std::vector<std::string_view> words;
  for (const XmlElement& child : matrix.children) {
    if (child.name != child_name) continue;
    const std::string_view text = child.text;
    for (std::size_t at = text.find_first_not_of(" \t\r\n"); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
      words.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(" \t\r\n", end);
    }
  }
  return words;
}

int mb_per_second_of_link(const NcclPci& gpu) {
  const std::string_view model = gpu_of_pci_id(gpu.vendor, gpu.device);
  if (model.starts_with("P100")) return 20000;
  if (model.starts_with("B200") || model.starts_with("B300") || model.starts_with("GB")) {
    return 50000;
  }
  return 25000;
}

class LinkReader {
 public:
  LinkReader(const std::string& file, LstopoMachine& machine, Diagnostics& out)
      : machine_(machine), fields_(file, out) {}

  void read(const XmlElement& matrix) {
    const std::vector<std::string_view> objects = words_of(matrix, "indexes");
    const std::vector<std::string_view> values = words_of(matrix, "u64values");
    const std::size_t n = objects.size();
    if (n > kMaxObjects || values.size() != n * n) {
      fields_.fail("lstopo-matrix", matrix.line,
                   fmt::format("{} values for {} objects, {} are needed", values.size(), n, n * n),
                   kHint);
      return;
    }
    for (std::size_t from = 0; from < n; ++from) {
      const std::optional<int> pci = position(objects[from]);
      if (!pci || !machine_.topo.pcis[static_cast<std::size_t>(*pci)].gpu) continue;
      NcclPci& gpu = machine_.topo.pcis[static_cast<std::size_t>(*pci)];
      for (std::size_t to = 0; to < n; ++to) {
        if (to != from) add(gpu, objects[to], values[from * n + to], matrix.line);
      }
    }
  }

 private:
  /// "OSDev:802" or "802": hwloc's gp_index, with the type where types are mixed.
  std::optional<int> position(std::string_view object) const {
    const std::size_t colon = object.find(':');
    const auto index =
        whole_int(colon == std::string_view::npos ? object : object.substr(colon + 1));
    const auto found = index ? machine_.pci_of_index.find(*index) : machine_.pci_of_index.end();
    return found == machine_.pci_of_index.end() ? std::nullopt : std::optional(found->second);
  }

  void add(NcclPci& gpu, std::string_view object, std::string_view value, int line) {
    const auto mb_per_second = whole_int(value);
    const int one = mb_per_second_of_link(gpu);
    if (!mb_per_second || *mb_per_second < 0 || *mb_per_second % one != 0) {
      fields_.fail("lstopo-links", line,
                   fmt::format("{} MB/s between {} and {}: not a whole number of links of {} MB/s",
                               value, gpu.busid, object, one),
                   kHint);
      return;
    }
    if (*mb_per_second == 0) return;
    NcclLink link;
    link.count = *mb_per_second / one;
    if (link.count > kMaxGpuLinks) {
      fields_.fail("lstopo-links", line,
                   fmt::format("{} MB/s between {} and {}: more than {} links of {} MB/s", value,
                               gpu.busid, object, kMaxGpuLinks, one),
                   kHint);
      return;
    }
    link.line = line;
    if (const auto target = position(object)) {
      const NcclPci& pci = machine_.topo.pcis[static_cast<std::size_t>(*target)];
      link.target = pci.busid;
      link.target_class = pci.role == PciRole::kNvSwitch ? "0x068000" : pci.pci_class;
    } else {
      link.target_class = "0x068001";  // a package: POWER joins GPUs and CPUs by NVLink
    }
    gpu.gpu->links.push_back(std::move(link));
  }

  LstopoMachine& machine_;
  XmlFields fields_;
};

}  // namespace

void add_lstopo_links(const XmlElement& topology, const std::string& file, LstopoMachine& machine,
                      Diagnostics& out) {
  LinkReader reader(file, machine, out);
  XmlFields fields(file, out);
  for (const XmlElement& child : topology.children) {
    if (!child.name.starts_with("distances2")) continue;
    if (child.value("name") == "NVLinkBandwidth") reader.read(child);
    if (child.value("name") == "XGMIBandwidth") {
      fields.warn("lstopo-xgmi", child.line, "the xGMI matrix is left out: it tells no link counts",
                  "import `rocm-smi --showtopo` or RCCL's topology XML instead");
    }
  }
}

}  // namespace heddle::io
