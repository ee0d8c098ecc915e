#include "sim/io/import/nccl_topo.h"

#include <algorithm>
#include <map>

namespace heddle::io {
namespace {

constexpr std::string_view kNvSwitchClass = "0x068000";

bool by_number(const NcclPci& a, const NcclPci& b) {
  return a.gpu->dev < b.gpu->dev;
}

bool by_busid(const NcclPci& a, const NcclPci& b) {
  return a.busid < b.busid;
}

}  // namespace

int NcclTopo::gpu_number(std::size_t i) const {
  return numbered ? gpu(i).gpu->dev : static_cast<int>(i);
}

std::optional<std::size_t> NcclTopo::gpu_at(std::string_view busid) const {
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (gpu(i).busid == busid) return i;
  }
  return std::nullopt;
}

void number_gpus(NcclTopo& topo) {
  topo.gpus.clear();
  topo.numbered = std::any_of(topo.pcis.begin(), topo.pcis.end(),
                              [](const NcclPci& pci) { return pci.gpu.has_value(); });
  for (std::size_t i = 0; i < topo.pcis.size(); ++i) {
    const NcclPci& pci = topo.pcis[i];
    if (topo.numbered ? pci.gpu.has_value() : pci.role == PciRole::kGpu) {
      topo.gpus.push_back(static_cast<int>(i));
    }
  }
  const auto before = topo.numbered ? by_number : by_busid;
  std::stable_sort(topo.gpus.begin(), topo.gpus.end(), [&topo, before](int a, int b) {
    return before(topo.pcis[static_cast<std::size_t>(a)], topo.pcis[static_cast<std::size_t>(b)]);
  });
}

LinkCounts count_gpu_links(const NcclTopo& topo) {
  const std::size_t n = topo.gpus.size();
  std::map<std::string_view, std::size_t> position;
  for (std::size_t i = 0; i < n; ++i) position.emplace(topo.gpu(i).busid, i);
  LinkCounts counts(n, std::vector<int>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    if (!topo.gpu(i).gpu) continue;
    for (const NcclLink& link : topo.gpu(i).gpu->links) {
      const auto target = position.find(link.target);
      if (target != position.end()) counts[i][target->second] += link.count;
    }
  }
  return counts;
}

std::vector<int> count_switch_links(const NcclTopo& topo) {
  std::vector<int> counts(topo.gpus.size(), 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!topo.gpu(i).gpu) continue;
    for (const NcclLink& link : topo.gpu(i).gpu->links) {
      if (link.target_class == kNvSwitchClass) counts[i] += link.count;
    }
  }
  return counts;
}

}  // namespace heddle::io
