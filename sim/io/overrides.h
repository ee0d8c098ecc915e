#pragma once
// --set: changes to the tree before it is read, so that a changed scenario is checked like a file.

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"
#include "sim/io/scenario_reader.h"

namespace heddle::io {

/// The document with each value placed at its path, in order; later ones win. Keys that are absent
/// on the way are made, so that fields left to their default can be set: a misspelt one is then an
/// unknown key to the reader, with a suggestion. A path through an element or a scalar that is not
/// there is a diagnostic without line.
JsonDocument apply_overrides(const JsonDocument& document, Overrides overrides, Diagnostics& out);

}  // namespace heddle::io
