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
  const double lanes = line_gb_per_second / kGen3Lane;
  const bool wide_coding = lanes >= 0.99 && std::abs(lanes - std::round(lanes)) < 1e-3;
  const double bytes = line_gb_per_second * 0.75e9 / (wide_coding ? kGen3Lane : 1.0);
  return std::llround(bytes);
}

}  // namespace heddle::io
