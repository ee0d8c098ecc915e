#pragma once
// The keys of a fabric that force what NCCL would choose itself, see collective::CommSettings.

#include "sim/collective/settings.h"
#include "sim/io/scenario_fields.h"

namespace heddle::io {

collective::CommSettings read_comm(ScenarioFields& fields);

}  // namespace heddle::io
