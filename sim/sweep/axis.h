#pragma once
// One value that a sweep varies, as it is written on the command line:
//
//   training.micro_batch=1,2,4          values as --set takes them; commas inside [] {} "" do not
//   part training.sequence_length=1024:8192:8    from, to, how many: evenly spaced, both ends
//   included memory_capacity=40 GB:80 GB:5           the same with a unit, in that unit

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units_text.h"

namespace heddle::sweep {

inline constexpr std::int64_t kMostValues = 100'000;  // of one axis

struct Axis {
  std::string path;                 // as --set takes it
  std::vector<std::string> values;  // at least one

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// A range between whole numbers must have whole steps.
Parsed<Axis> parse_axis(std::string_view text);

}  // namespace heddle::sweep
