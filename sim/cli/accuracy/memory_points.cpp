#include "sim/cli/accuracy/memory_points.h"

#include <limits>

#include "sim/cli/accuracy/record_fields.h"

namespace heddle::cli::accuracy {
namespace {

constexpr double kMost = 1e15;

double number_of(const io::Value& object, std::string_view key, Diagnostics& out) {
  const auto member = needed(object, key, out);
  if (!member) return 0;
  return member->as_number(std::numeric_limits<double>::min(), kMost, out).value_or(0);
}

MemoryPoint read_point(const io::Value& row, Diagnostics& out) {
  const bool copies = text_of(row, "quantity", out) == "activation_copies";
  return {text_of(row, "id", out), "", number_of(row, copies ? "measured" : "measured_bytes", out)};
}

std::optional<MemoryPoint> read_record(const io::Value& record, Diagnostics& out) {
  const auto measured = record.member("measured");
  if (!measured || !measured->member("peak_memory_gb") || !is_data_parallel(record)) {
    return std::nullopt;
  }
  return MemoryPoint{text_of(record, "id", out), text_of(record, "family", out),
                     number_of(*measured, "peak_memory_gb", out) * 1e9};
}

}  // namespace

std::optional<std::vector<MemoryPoint>> read_memory_points(const io::Value& file,
                                                           Diagnostics& out) {
  std::vector<MemoryPoint> points;
  if (const auto rows = file.member("points")) {
    for (const io::Value& row : rows->items(out)) points.push_back(read_point(row, out));
  }
  if (out.has_errors()) return std::nullopt;
  return points;
}

std::optional<std::vector<MemoryPoint>> read_training_peaks(const io::Value& file,
                                                            Diagnostics& out) {
  std::vector<MemoryPoint> points;
  for (const io::Value& record : file.items(out)) {
    if (auto point = read_record(record, out)) points.push_back(std::move(*point));
  }
  if (out.has_errors()) return std::nullopt;
  return points;
}

}  // namespace heddle::cli::accuracy
