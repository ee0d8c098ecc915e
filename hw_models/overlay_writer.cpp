#include <fmt/format.h>

#include "hw_models/overlay.h"
#include "sim/io/percent_text.h"

namespace heddle::hw_models {
namespace {

/// `value` / 10^`digits` without rounding: "10.4" for 10'400'000'000 and 9.
std::string decimal_text(std::int64_t value, int digits) {
  std::int64_t scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  std::string text = fmt::format("{}.{:0{}}", value / scale, value % scale, digits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string value_text(double share) {
  return io::percent_text(share);
}

std::string value_text(int ctas) {
  return fmt::format("{} {}", ctas, ctas == 1 ? "CTA" : "CTAs");
}

std::string value_text(Bandwidth rate) {
  return decimal_text(rate.bytes_per_second, 9) + " GB/s";
}

std::string value_text(Duration time) {
  return decimal_text(time.ps, 6) + " us";
}

template <typename T>
void write(io::JsonWriter& json, std::string_view key, const std::optional<Sourced<T>>& quantity) {
  if (!quantity) return;
  json.key(key).begin_object().field("value", value_text(quantity->value));
  write_origin(json, quantity->origin);
  json.end_object();
}

void write_staging(io::JsonWriter& json, const CommOverlay& comm) {
  if (!comm.staging_ctas && !comm.staging_per_cta_same_socket &&
      !comm.staging_per_cta_cross_socket) {
    return;
  }
  json.key("host_staging").begin_object();
  write(json, "ctas", comm.staging_ctas);
  write(json, "per_cta_same_socket", comm.staging_per_cta_same_socket);
  write(json, "per_cta_cross_socket", comm.staging_per_cta_cross_socket);
  json.end_object();
}

void write_network(io::JsonWriter& json, const CommOverlay& comm) {
  if (!comm.network_efficiency && !comm.network_latency) return;
  json.key("network").begin_object();
  write(json, "efficiency", comm.network_efficiency);
  write(json, "latency", comm.network_latency);
  json.end_object();
}

}  // namespace

std::string write_overlay(const Overlay& overlay) {
  io::JsonWriter json;
  json.begin_object().field("schema", "heddle.overlay/1");
  json.field("name", overlay.name).field("summary", overlay.summary);
  json.key("comm").begin_object();
  write(json, "ring_efficiency", overlay.comm.ring_efficiency);
  write(json, "nvls_efficiency", overlay.comm.nvls_efficiency);
  write(json, "pcie_ring_efficiency", overlay.comm.pcie_ring_efficiency);
  write_staging(json, overlay.comm);
  write_network(json, overlay.comm);
  json.end_object().end_object();
  return json.take();
}

}  // namespace heddle::hw_models
