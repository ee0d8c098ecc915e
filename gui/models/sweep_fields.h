#pragma once
// Which settings of a scenario can be varied as numbers, and values to begin with.

#include <string>
#include <vector>

#include "gui/models/scenario_rows.h"

namespace heddle::gui {

struct SweepField {
  std::string path;   // as --vary takes it
  std::string value;  // now
};

/// Numbers with or without a unit, in the order of the settings. Settings of what a file names in
/// short form (a bare strategy) are left out: --vary could not reach them.
std::vector<SweepField> sweep_fields(const ScenarioRows& rows);

/// "1,2,4,8": the value now and three more; with a unit "40 GB,80 GB,120 GB,160 GB".
std::string suggested_values(const std::string& value);

}  // namespace heddle::gui
