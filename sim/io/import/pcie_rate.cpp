#include "sim/io/import/pcie_rate.h"

#include <array>
#include <cmath>
#include <utility>

namespace heddle::io {
namespace {

constexpr std::array<std::string_view, 6> kSpeeds = {"2.5", "5", "8", "16", "32", "64"};
constexpr std::int64_t kFirstLane = 187'500'000;  // 15 x 100 Mbit/s

std::string_view without_suffix(std::string_view number, std::string_view suffix) {
  if (number.size() > suffix.size() && number.ends_with(suffix))
    number.remove_suffix(suffix.size());
  return number;
}

/// Lanes of a rate, within the rounding of data sheets (63 for 63.015 GB/s); 0 if it has no whole
/// number of them.
std::int64_t whole_lanes(double rate, double lane) {
  const double lanes = std::round(rate / lane);
  return lanes >= 1 && std::abs(rate / (lanes * lane) - 1) < 5e-4 ? std::llround(lanes) : 0;
}

}  // namespace

std::optional<int> pcie_generation(std::string_view link_speed) {
  const std::size_t unit = link_speed.find(" GT/s");
  if (unit == std::string_view::npos) return std::nullopt;
  const std::string_view number = without_suffix(link_speed.substr(0, unit), ".0");
  for (std::size_t i = 0; i < kSpeeds.size(); ++i) {
    if (kSpeeds[i] == number) return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

std::optional<std::int64_t> nccl_pcie_bandwidth(std::optional<int> generation, int lanes) {
  if (!generation || lanes < 1 || lanes > 32) return std::nullopt;
  return (kFirstLane << (*generation - 1)) * lanes;
}

std::optional<std::int64_t> nccl_pcie_bandwidth(double line_gb_per_second) {
  if (!(line_gb_per_second > 0) || line_gb_per_second > 1024) return std::nullopt;
  constexpr double kGen3Lane = 8.0 * 128 / 130 / 8;
  constexpr double kGen6Lane = 64.0 * 242 / 256 / 8;
  if (const auto lanes = whole_lanes(line_gb_per_second, kGen6Lane))
    return lanes * (kFirstLane << 5);
  if (const auto lanes = whole_lanes(line_gb_per_second, kGen3Lane))
    return lanes * (kFirstLane << 2);
  return std::llround(line_gb_per_second * 0.75e9);
}

}  // namespace heddle::io
