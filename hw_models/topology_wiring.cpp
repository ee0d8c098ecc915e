#include "hw_models/topology_wiring.h"

#include "hw_models/topology_nvlink.h"
#include "hw_models/topology_pcie.h"
#include "hw_models/topology_sockets.h"

namespace heddle::hw_models {

std::optional<Wiring> wiring_of(const ImportMatrix& matrix, const NodeModel& like,
                                const std::string& file, Diagnostics& out) {
  const int before = out.error_count();
  Wiring wiring;
  for (std::size_t i = 0; i < matrix.gpus(); ++i) wiring.gpu_numbers.push_back(matrix.number(i));
  read_nvlinks(matrix, like, file, wiring, out);
  read_sockets(matrix, like, file, wiring, out);
  if (out.error_count() != before) return std::nullopt;
  read_pcie_switches(matrix, like, wiring);
  return wiring;
}

}  // namespace heddle::hw_models
