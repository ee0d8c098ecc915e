#include "sim/io/gpu_name.h"

#include <fmt/format.h>

#include "sim/base/number_text.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {

std::optional<std::string> read_gpu_name(const Value& value, Diagnostics& out) {
  if (value.kind() != JsonKind::kString) {
    const auto number = value.as_integer(0, kMaxGpuNumber, out);
    return number ? std::optional(fmt::format("{}", *number)) : std::nullopt;
  }
  auto name = value.as_string(out);
  if (!name->empty()) return name;
  value.error("out-of-range", "must not be empty", "give a GPU's number or name", out);
  return std::nullopt;
}

void write_gpu_name(JsonWriter& w, const std::string& name) {
  const auto number = whole_int(name, 0, kMaxGpuNumber);
  if (number && fmt::format("{}", *number) == name) {
    w.value(*number);
  } else {
    w.value(name);
  }
}

}  // namespace heddle::io
