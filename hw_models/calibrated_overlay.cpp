#include "hw_models/calibrated_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/base/check.h"

namespace heddle::hw_models {
namespace {

/// To a hundredth of a percent, and never zero, which would mean "not stated".
Origin origin_of(const run::CalibratedValues& all, const run::CalibratedValue& value) {
  const double percent = std::round(value.sigma * 1e4) / 100;
  return {"calibrated", all.source, all.date, std::max(percent, 0.01)};
}

struct Slot {
  std::string_view parameter;
  void (*put)(CommOverlay& comm, double value, Origin origin);
};

/// To a millionth of a percent, as the file holds it.
double share(double value) {
  return std::round(value * 1e8) / 1e8;
}

Bandwidth rate(double value) {
  return {std::llround(value)};
}

Duration time(double seconds) {
  return {std::llround(seconds * 1e12)};
}

constexpr std::array kSlots{
    Slot{"ring_efficiency",
         [](CommOverlay& c, double v, Origin o) {
           c.ring_efficiency = {share(v), std::move(o)};
         }},
    Slot{"nvls_efficiency",
         [](CommOverlay& c, double v, Origin o) {
           c.nvls_efficiency = {share(v), std::move(o)};
         }},
    Slot{"pcie_ring_efficiency",
         [](CommOverlay& c, double v, Origin o) {
           c.pcie_ring_efficiency = {share(v), std::move(o)};
         }},
    Slot{"host_staging/per_cta_same_socket",
         [](CommOverlay& c, double v, Origin o) {
           c.staging_per_cta_same_socket = {rate(v), std::move(o)};
         }},
    Slot{"host_staging/per_cta_cross_socket",
         [](CommOverlay& c, double v, Origin o) {
           c.staging_per_cta_cross_socket = {rate(v), std::move(o)};
         }},
    Slot{"network/efficiency",
         [](CommOverlay& c, double v, Origin o) {
           c.network_efficiency = {share(v), std::move(o)};
         }},
    Slot{"network/latency",
         [](CommOverlay& c, double v, Origin o) {
           c.network_latency = {time(v), std::move(o)};
         }},
};

}  // namespace

Overlay overlay_of(const run::CalibratedValues& values) {
  Overlay overlay{values.name, values.summary, {}};
  for (const run::CalibratedValue& value : values.values) {
    const auto slot = std::find_if(kSlots.begin(), kSlots.end(), [&](const Slot& candidate) {
      return candidate.parameter == value.parameter;
    });
    HEDDLE_CHECK(slot != kSlots.end(), "an overlay has no place for " + value.parameter);
    slot->put(overlay.comm, value.value, origin_of(values, value));
  }
  return overlay;
}

}  // namespace heddle::hw_models
