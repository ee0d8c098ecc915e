#pragma once
// A text about a machine (nvidia-smi topo -m, NCCL's topology XML, ...) put in the place of a
// fabric's.

#include <string>
#include <utility>

#include "sim/run/scenario.h"

namespace heddle::gui {

struct MachineDrop {
  std::pair<std::string, std::string> edit;  // as --set takes it; empty if there is a problem
  std::string problem;                       // file and reason
};

/// The fabric keeps its id, its GPUs and, for what no text says, its node preset. What the text
/// means is judged when the scenario runs.
MachineDrop drop_machine(const run::Scenario& scenario, std::size_t fabric,
                         const std::string& file);

/// The same with a text that is pasted: it is kept in `folder` under a name of its content, so that
/// the scenario and its command have a file to name. A text that no importer knows is not written.
MachineDrop paste_machine(const run::Scenario& scenario, std::size_t fabric,
                          const std::string& text, const std::string& folder);

}  // namespace heddle::gui
