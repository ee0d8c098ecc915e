#pragma once
// What-ifs made with the pointer, as the --set that says them: undone, copied and checked like any
// other change.

#include <string>
#include <utility>
#include <vector>

#include "sim/fabric/change.h"
#include "sim/run/scenario.h"
#include "sim/run/study.h"

namespace heddle::gui {

/// {"fabrics.2.changes", "[...]"}: those the fabric has already, then `change`.
std::pair<std::string, std::string> edit_with(const run::Scenario& scenario, std::size_t fabric,
                                              const fabric::Change& change);
/// {"fabrics.2.gpus", "[0, 1, 4, 5]"}: `rank` of the case runs on `gpu`; whoever ran there changes
/// places.
std::pair<std::string, std::string> edit_moving(const run::Study& study, const run::CaseId& id,
                                                int rank, fabric::DeviceId gpu);
/// "[0, 1, 4, 5]"; on a cluster "["0:0", "1:0"]".
std::string gpu_list_text(const std::vector<run::GpuPlace>& gpus, bool one_machine);
/// "gpu0 - gpu1": both directions of the wire between two devices, as changes name it.
std::string wire_name(const fabric::Fabric& fabric, fabric::LinkId link);

}  // namespace heddle::gui
