#pragma once
// Changes and background traffic of a fabric, as its readers take them. Nothing if there are none.

#include "sim/io/json_writer.h"
#include "sim/run/scenario.h"

namespace heddle::io {

void write_what_ifs(JsonWriter& w, const run::FabricChoice& choice);

}  // namespace heddle::io
