#pragma once

#include <optional>

#include "sim/cli/accuracy/anchors.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

/// A number, or [low, high] with low <= high; not negative.
std::optional<Measured> read_range(const io::Value& value, Diagnostics& out);

}  // namespace heddle::cli::accuracy
