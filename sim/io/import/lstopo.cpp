#include "sim/io/import/lstopo.h"

#include <utility>

#include "sim/io/import/lstopo_links.h"
#include "sim/io/import/lstopo_objects.h"
#include "sim/io/import/topo_import.h"
#include "sim/io/import/xml_tree.h"

namespace heddle::io {
namespace {

int confidence(std::string_view text) {
  const std::size_t at = find_element(text, "topology");
  if (at == std::string_view::npos) return 0;
  return find_element(text.substr(at), "object") == std::string_view::npos ? 40 : 95;
}

std::optional<Imported> read(std::string_view text, const std::string& file, Diagnostics& out) {
  const auto topology = parse_xml(text, "topology", file, out);
  if (!topology) return std::nullopt;
  const int before = out.error_count();
  LstopoMachine machine = read_lstopo_objects(*topology, file, out);
  add_lstopo_links(*topology, file, machine, out);
  number_gpus(machine.topo);
  const std::size_t gpus = machine.topo.gpus.size();
  if (gpus == 0 || gpus > kMaxMachineGpus) {
    out.error("lstopo-gpus", file, "", topology->line,
              gpus == 0 ? "no NVIDIA or AMD GPU is here" : "too many GPUs for one machine",
              "lstopo must see the PCI devices: `lstopo --whole-io topology.xml` as root");
  }
  if (out.error_count() != before) return std::nullopt;
  return import_topo(std::move(machine.topo), std::move(machine.osdevs));
}

}  // namespace

ImporterSpec lstopo_importer() {
  return {ImportKind::kLstopo, "lstopo", "lstopo topology.xml", confidence, read};
}

}  // namespace heddle::io
