#include "sim/cli/accuracy/measured_sweep.h"

#include <set>

namespace heddle::cli::accuracy {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMostGpus = 1 << 20;
constexpr double kMostUs = 1e12;

/// Absent or null: empty. A fact that is not known.
std::string known_text(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.optional(key);
  return value && !value->is_null() ? value->as_string(out).value_or("") : "";
}

std::optional<int> known_count(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.optional(key);
  if (!value || value->is_null()) return std::nullopt;
  const auto count = value->as_integer(1, kMostGpus, out);
  return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

/// `time_us`, else the time that follows from `algbw_gbps`.
std::optional<double> time_of(io::ObjectReader& reader, Bytes bytes, Diagnostics& out) {
  const auto time = reader.optional("time_us");
  const auto us = time && !time->is_null() ? time->as_number(0, kMostUs, out) : std::nullopt;
  if (us && *us > 0) return us;
  const auto rate = reader.optional("algbw_gbps");
  const auto gb = rate && !rate->is_null() ? rate->as_number(0, kMostUs, out) : std::nullopt;
  if (gb && *gb > 0) return static_cast<double>(bytes.value) * 1e-3 / *gb;
  reader.object().error("no-time", "has neither time_us nor algbw_gbps", "", out);
  return std::nullopt;
}

std::optional<TimedSize> read_point(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  const auto size = reader.required("bytes");
  const auto bytes = size ? size->as_integer(1, kMostBytes, out) : std::nullopt;
  if (!bytes) return std::nullopt;
  const auto us = time_of(reader, Bytes{*bytes}, out);
  return us ? std::optional(TimedSize{Bytes{*bytes}, *us}) : std::nullopt;
}

MeasuredSweep read_sweep(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  MeasuredSweep sweep;
  if (const auto id = reader.required("id")) sweep.id = id->as_string(out).value_or("");
  sweep.source = known_text(reader, "source", out);
  sweep.gpu = known_text(reader, "gpu", out);
  sweep.topology = known_text(reader, "topology", out);
  sweep.inter_fabric = known_text(reader, "inter_fabric", out);
  sweep.collective = known_text(reader, "collective", out);
  sweep.nccl_version = known_text(reader, "nccl_version", out);
  sweep.quality = known_text(reader, "quality", out);
  sweep.gpus = known_count(reader, "gpus", out);
  sweep.nodes = known_count(reader, "nodes", out);
  if (const auto env = reader.optional("env"); env && !env->is_null()) {
    for (const std::string& key : env->keys()) {
      sweep.env[key] = env->member(key)->as_string(out).value_or("");
    }
  }
  if (const auto points = reader.required("points")) {
    for (const io::Value& point : points->items(out)) {
      if (const auto read = read_point(point, out)) sweep.points.push_back(*read);
    }
    if (sweep.points.empty()) points->error("no-points", "has no measured sizes", "", out);
  }
  if (const auto citable = reader.optional("citable")) {
    sweep.citable = citable->as_bool(out).value_or(false);
  }
  return sweep;
}

}  // namespace

std::optional<std::vector<MeasuredSweep>> read_sweeps(const io::Value& records, Diagnostics& out) {
  const int before = out.error_count();
  std::vector<MeasuredSweep> sweeps;
  std::set<std::string> seen;
  for (const io::Value& record : records.items(out)) {
    sweeps.push_back(read_sweep(record, out));
    if (!seen.insert(sweeps.back().id).second) {
      record.error("duplicate-id", "id \"" + sweeps.back().id + "\" is used twice", "", out);
    }
  }
  if (out.error_count() != before) return std::nullopt;
  return sweeps;
}

}  // namespace heddle::cli::accuracy
