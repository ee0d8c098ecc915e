#pragma once
// Where a number comes from: kind, source, date and relative error.

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"
#include "sim/io/json_writer.h"

namespace heddle::hw_models {

struct Origin {
  std::string kind;  // "datasheet", "measured", "assumed" or "calibrated"
  std::string source;
  std::string date;          // "2024-11" or "2024-11-18"
  double sigma_percent = 0;  // relative standard deviation; 0: not stated

  friend bool operator==(const Origin&, const Origin&) = default;
};

/// A number with where it comes from.
template <typename T>
struct Sourced {
  T value;
  Origin origin;

  friend bool operator==(const Sourced&, const Sourced&) = default;
};

/// Takes "kind", "source", "date" and "sigma" of a quantity and reports what is missing or wrong.
Origin read_origin(io::ObjectReader& quantity, Diagnostics& out);

/// read_origin for those who only want it to be in order.
inline void check_origin(io::ObjectReader& quantity, Diagnostics& out) {
  read_origin(quantity, out);
}

/// The same fields, into the object that is open.
void write_origin(io::JsonWriter& json, const Origin& origin);

}  // namespace heddle::hw_models
