#include "sim/fit/comm_parameter.h"

#include <array>
#include <cmath>

namespace heddle::fit {
namespace {

using fabric::CommParameters;

constexpr double kUnbounded = 1e15;
constexpr double kRate = 0.9;
constexpr double kLatency = 0.2;

std::optional<double> if_positive(double value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> rate_of(const CommParameters& comm, Bandwidth rate) {
  if (comm.host_staging.ctas <= 0) return std::nullopt;
  return if_positive(static_cast<double>(rate.bytes_per_second));
}

Bandwidth to_rate(double value) {
  return {std::llround(value)};
}

constexpr std::array kParameters{
    CommParameter{"ring_efficiency", "1", 1, kRate,
                  [](const CommParameters& c) { return if_positive(c.ring_efficiency); },
                  [](CommParameters& c, double v) { c.ring_efficiency = v; }},
    CommParameter{"nvls_efficiency", "1", 1, kRate,
                  [](const CommParameters& c) { return c.nvls_efficiency; },
                  [](CommParameters& c, double v) { c.nvls_efficiency = v; }},
    CommParameter{"pcie_ring_efficiency", "1", 1, kRate,
                  [](const CommParameters& c) { return if_positive(c.pcie_ring_efficiency); },
                  [](CommParameters& c, double v) { c.pcie_ring_efficiency = v; }},
    CommParameter{
        "host_staging/per_cta_same_socket", "B/s", kUnbounded, kRate,
        [](const CommParameters& c) { return rate_of(c, c.host_staging.per_cta_same_socket); },
        [](CommParameters& c, double v) { c.host_staging.per_cta_same_socket = to_rate(v); }},
    CommParameter{
        "host_staging/per_cta_cross_socket", "B/s", kUnbounded, kRate,
        [](const CommParameters& c) { return rate_of(c, c.host_staging.per_cta_cross_socket); },
        [](CommParameters& c, double v) { c.host_staging.per_cta_cross_socket = to_rate(v); }},
    CommParameter{"network/efficiency", "1", 1, kRate,
                  [](const CommParameters& c) {
                    return c.network ? if_positive(c.network->efficiency) : std::nullopt;
                  },
                  [](CommParameters& c, double v) { c.network->efficiency = v; }},
    CommParameter{
        "network/latency", "s", 1, kLatency,
        [](const CommParameters& c) {
          return c.network ? if_positive(c.network->latency.seconds()) : std::nullopt;
        },
        [](CommParameters& c, double v) { c.network->latency = Duration{std::llround(v * 1e12)}; }},
};

}  // namespace

std::span<const CommParameter> comm_parameters() {
  return kParameters;
}

}  // namespace heddle::fit
