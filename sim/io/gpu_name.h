#pragma once
// A GPU in a what-if or in background traffic: its number, or its name in the fabric.

#include <optional>
#include <string>

#include "sim/io/json_value.h"
#include "sim/io/json_writer.h"

namespace heddle::io {

/// 3 or "n1/gpu3"; the number as text.
std::optional<std::string> read_gpu_name(const Value& value, Diagnostics& out);
/// A number as such, a name as text.
void write_gpu_name(JsonWriter& w, const std::string& name);

}  // namespace heddle::io
