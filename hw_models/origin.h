#pragma once
// Where a number comes from: kind, source, date and relative error.

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"

namespace heddle::hw_models {

/// Takes "kind", "source", "date" and "sigma" of a quantity and reports what is missing or wrong.
void check_origin(io::ObjectReader& quantity, Diagnostics& out);

}  // namespace heddle::hw_models
