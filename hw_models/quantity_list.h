#pragma once
// Quantities whose value is a list under one origin, and factors:
//
//   {"value": ["6.6 us", "14 us", "8.4 us"], "kind": "datasheet", "source": "...", "date": "..."}
//   {"value": "1.4 x", ...}
//
// A missing or faulty one is a diagnostic and reads as zeros, as in QuantityReader.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"
#include "sim/io/json_document.h"

namespace heddle::hw_models {

class QuantityListReader {
 public:
  QuantityListReader(io::ObjectReader& object, Diagnostics& out) : object_(object), out_(out) {}

  template <std::size_t N>
  std::array<Bandwidth, N> bandwidths(std::string_view key) {
    return fixed<Bandwidth, N>(items(key, N), &io::Value::as_bandwidth);
  }
  template <std::size_t N>
  std::array<Duration, N> durations(std::string_view key) {
    return fixed<Duration, N>(items(key, N), &io::Value::as_duration);
  }
  /// "90 %" as 0.9; above 0 and at most 100 %.
  template <std::size_t N>
  std::array<double, N> shares(std::string_view key) {
    std::array<double, N> found{};
    const std::vector<io::Value> list = items(key, N);
    for (std::size_t i = 0; i < list.size(); ++i) found[i] = share_of(list[i]);
    return found;
  }
  template <std::size_t N>
  std::array<double, N> factors(std::string_view key) {
    std::array<double, N> found{};
    const std::vector<io::Value> list = items(key, N);
    for (std::size_t i = 0; i < list.size(); ++i) found[i] = factor_of(list[i]);
    return found;
  }
  /// Any number of candidate speeds, falling.
  std::vector<Bandwidth> falling_speeds(std::string_view key);
  /// "1.4 x" as 1.4; above 0 and at most 100.
  double factor(std::string_view key);

 private:
  template <typename T>
  using Convert = std::optional<T> (io::Value::*)(Diagnostics&) const;

  template <typename T, std::size_t N>
  std::array<T, N> fixed(const std::vector<io::Value>& list, Convert<T> convert) {
    std::array<T, N> found{};
    for (std::size_t i = 0; i < list.size(); ++i) {
      found[i] = (list[i].*convert)(out_).value_or(T{});
    }
    return found;
  }
  std::optional<io::Value> value_of(std::string_view key);
  /// The list's items, `count` of them; empty after a diagnostic. 0: at least one, any number.
  std::vector<io::Value> items(std::string_view key, std::size_t count);
  double share_of(const io::Value& value);
  double factor_of(const io::Value& value);

  io::ObjectReader& object_;
  Diagnostics& out_;
};

}  // namespace heddle::hw_models
