#include "hw_models/cpu_reader.h"

#include <algorithm>
#include <vector>

#include "hw_models/origin.h"

namespace heddle::hw_models {
namespace {

constexpr int kMaxCpuid = 4095;

std::string read_optional_text(io::ObjectReader& object, std::string_view key, Diagnostics& out) {
  const auto value = object.optional(key);
  return value ? value->as_string(out).value_or("") : "";
}

std::optional<int> number(const io::Value& value, Diagnostics& out) {
  const auto read = value.as_integer(0, kMaxCpuid, out);
  return read ? std::optional(static_cast<int>(*read)) : std::nullopt;
}

/// "models": [first, last]
std::optional<std::pair<int, int>> read_models(io::ObjectReader& object, Diagnostics& out) {
  const auto value = object.optional("models");
  if (!value) return std::nullopt;
  const std::vector<io::Value> ends = value->items(out);
  if (ends.size() == 2) {
    const auto first = number(ends[0], out);
    const auto last = number(ends[1], out);
    if (first && last && *first <= *last) return std::pair(*first, *last);
  }
  value->error("bad-range", "not a range of model numbers", "write [first, last]", out);
  return std::nullopt;
}

}  // namespace

std::optional<CpuModel> read_cpu(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  CpuModel cpu;
  cpu.name = read_head(object, file, "heddle.cpu/1", out).name;
  cpu.arch = read_text(object, "arch", out);
  cpu.vendor = read_optional_text(object, "vendor", out);
  if (const auto family = object.optional("family")) cpu.family = number(*family, out);
  cpu.models = read_models(object, out);
  cpu.interconnect = read_text(object, "interconnect", out);
  check_origin(object, out);
  object.finish();
  if (out.error_count() != before) return std::nullopt;
  return cpu;
}

const CpuModel* find_cpu(std::span<const CpuModel> known, const io::NcclCpu& cpu) {
  const auto found = std::find_if(known.begin(), known.end(), [&cpu](const CpuModel& model) {
    if (model.arch != cpu.arch) return false;
    if (!model.vendor.empty() && model.vendor != cpu.vendor) return false;
    if (model.family && model.family != cpu.family) return false;
    if (!model.models) return true;
    return cpu.model && *cpu.model >= model.models->first && *cpu.model <= model.models->second;
  });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace heddle::hw_models
