#include "sim/io/import/nccl_tests_details.h"

#include <cmath>

#include "sim/io/import/nccl_tests_identity.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

constexpr const char* kColumns =
    "size_B,time_us_oop,algbw_oop,busbw_oop,time_us_ip,algbw_ip,busbw_ip";

template <typename T>
void write_or_null(JsonWriter& writer, const char* key, const std::optional<T>& value) {
  writer.key(key);
  value ? writer.value(*value) : writer.null();
}

void write_timing(JsonWriter& writer, const NcclTestsTiming& timing) {
  for (const auto& value : {timing.time_us, timing.algbw, timing.busbw}) {
    value ? writer.value(*value) : writer.null();
  }
}

void write_row(JsonWriter& writer, const NcclTestsRow& row) {
  writer.begin_array().inline_from_here().value(row.bytes);
  write_timing(writer, row.out_of_place);
  write_timing(writer, row.in_place);
  writer.end_array();
}

std::optional<double> peak_busbw(const NcclTestsSweep& sweep) {
  std::optional<double> peak;
  for (const NcclTestsRow& row : sweep.rows) {
    if (row.out_of_place.busbw) peak = std::max(peak.value_or(0), *row.out_of_place.busbw);
  }
  return peak;
}

std::optional<double> four_decimals(std::optional<double> value) {
  if (value) value = std::round(*value * 1e4) / 1e4;
  return value;
}

void write_summary(JsonWriter& writer, const NcclTestsSweep& sweep) {
  write_or_null(writer, "collective", sweep.collective);
  write_or_null(writer, "ranks", sweep.ranks);
  writer.field("dtype", sweep.rows.front().dtype);
  write_or_null(writer, "nccl_version", sweep.nccl_version);
  write_or_null(writer, "peak_busbw_out_of_place", peak_busbw(sweep));
  write_or_null(writer, "avg_busbw", sweep.avg_busbw);
  write_or_null(writer, "busbw_over_algbw", four_decimals(median_ratio(sweep)));
  writer.field("columns", kColumns);
}

void write_sweep(JsonWriter& writer, const NcclTestsSweep& sweep) {
  writer.begin_object();
  write_summary(writer, sweep);
  writer.key("rows").begin_array();
  for (const NcclTestsRow& row : sweep.rows) write_row(writer, row);
  writer.end_array().end_object();
}

}  // namespace

void NcclTestsDetails::write(JsonWriter& writer) const {
  const NcclTestsSweep& first = tests.sweeps.front();
  write_summary(writer, first);
  writer.field("rows", static_cast<std::int64_t>(first.rows.size()));
  writer.key("first");
  write_row(writer, first.rows.front());
  writer.key("last");
  write_row(writer, first.rows.back());
  writer.key("sweeps").begin_array();
  for (const NcclTestsSweep& sweep : tests.sweeps) write_sweep(writer, sweep);
  writer.end_array();
}

}  // namespace heddle::io
