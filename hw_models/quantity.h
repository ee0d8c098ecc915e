#pragma once
// Numbers of the hardware files. Each is an object, so that nothing enters without its origin:
//
//   {"value": "4.8 TB/s", "kind": "datasheet", "source": "...", "date": "2024-11", "sigma": "6 %"}
//
// `sigma` (relative standard deviation) is optional for datasheet and measured values and required
// for assumed and calibrated ones.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw_models/origin.h"
#include "sim/base/diagnostics.h"
#include "sim/base/units.h"
#include "sim/io/json_document.h"

namespace heddle::hw_models {

/// "2:1" as {2, 1}, both positive.
struct Ratio {
  int above = 1;
  int below = 1;
};

/// Takes the quantities of one JSON object. A missing or faulty one is a diagnostic and reads as
/// zero, so that all faults of a file are reported in one pass.
class QuantityReader {
 public:
  QuantityReader(io::ObjectReader& object, Diagnostics& out) : object_(object), out_(out) {}

  Bytes bytes(std::string_view key);
  Bandwidth bandwidth(std::string_view key);
  Duration duration(std::string_view key);
  FlopRate flop_rate(std::string_view key);
  /// "89.3 %" as 0.893; above 0 and at most 100 %.
  double share(std::string_view key);
  std::optional<double> optional_share(std::string_view key);
  /// "1.6 times" as 1.6; above 0.
  std::optional<double> optional_factor(std::string_view key);
  std::optional<Bandwidth> optional_bandwidth(std::string_view key);
  /// "132 SMs" as 132, at least `low`; `noun` names what is counted, in the plural, and must be
  /// written.
  int count(std::string_view key, std::string_view noun, int low);
  /// "2:1"; at least 1:1.
  Ratio ratio(std::string_view key);
  /// "700 W" as 700; positive.
  std::optional<Sourced<double>> sourced_watts(std::string_view key);
  /// Relative sigma that the quantity states; `otherwise` if it is absent or states none.
  double sigma(std::string_view key, double otherwise);

  /// The entries of a quantity whose value is a list.
  std::vector<io::Value> items(std::string_view key);

  /// The same with their origin, for what is written again. Absent, or faulty: nullopt.
  std::optional<Sourced<double>> sourced_share(std::string_view key);
  std::optional<Sourced<Bandwidth>> sourced_bandwidth(std::string_view key);
  std::optional<Sourced<Duration>> sourced_duration(std::string_view key);
  std::optional<Sourced<int>> sourced_count(std::string_view key, std::string_view noun, int low);

 private:
  /// The "value" of a quantity whose other fields are in order.
  std::optional<io::Value> value_of(std::string_view key);
  std::optional<Sourced<io::Value>> checked(const io::Value& quantity);
  template <typename T, typename Convert>
  std::optional<Sourced<T>> sourced(std::string_view key, Convert convert);
  std::optional<double> share_of(const io::Value& value);
  std::optional<double> factor_of(const io::Value& value);
  std::optional<int> count_of(const io::Value& value, std::string_view noun, int low);

  io::ObjectReader& object_;
  Diagnostics& out_;
};

}  // namespace heddle::hw_models
