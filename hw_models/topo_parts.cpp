#include "hw_models/topo_parts.h"

#include <fmt/format.h>

#include <string>

namespace heddle::hw_models {
namespace {

std::string describe(const io::NcclCpu& cpu) {
  if (cpu.arch.empty()) return "the text does not name the processor";
  const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : "?"; };
  return fmt::format("{} {} family {} model {}", cpu.arch, cpu.vendor, number(cpu.family),
                     number(cpu.model));
}

}  // namespace

TopoParts topo_parts(const io::NcclTopo& topo, const NodeModel& node, const NodeLinks& links,
                     const WireOfCpu& wire_of, std::vector<io::Inference>& inferences) {
  TopoParts parts{node.gpu,           node.comm,       links.nvlink, links.pcie,
                  links.interconnect, wiring_of(node), links.c2c};
  if (topo.cpus.size() < 2) return parts;
  const io::NcclCpu& cpu = topo.cpus.front();
  const auto wire = cpu.arch.empty() ? std::nullopt : wire_of(cpu);
  if (wire) parts.interconnect = *wire;
  inferences.push_back(
      {"wire between NUMA nodes",
       fmt::format("{:g} GB/s ({}{})", parts.interconnect.payload_rate.gb_per_second(),
                   parts.interconnect.name, wire ? "" : ", of the node preset"),
       describe(cpu), cpu.line});
  return parts;
}

}  // namespace heddle::hw_models
