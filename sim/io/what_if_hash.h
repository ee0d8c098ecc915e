#pragma once
// Changes and background traffic of a fabric as part of the scenario's hash. Nothing is added where
// there are none, so scenarios of before keep their hashes.

#include "sim/base/stable_hash.h"
#include "sim/run/scenario.h"

namespace heddle::io {

void add_what_ifs(const run::FabricChoice& choice, StableHash& hash);

}  // namespace heddle::io
