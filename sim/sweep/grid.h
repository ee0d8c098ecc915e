#pragma once
// Every combination of the axes' values; the last axis varies fastest.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/sweep/axis.h"

namespace heddle::sweep {

inline constexpr std::size_t kMostPoints = 100'000'000;

using PathValues = std::vector<std::pair<std::string, std::string>>;

class Grid {
 public:
  explicit Grid(std::vector<Axis> axes) : axes_(std::move(axes)) {}

  const std::vector<Axis>& axes() const { return axes_; }
  /// More than kMostPoints are kMostPoints + 1.
  std::size_t size() const;
  /// Path and value of every axis, as --set takes them.
  PathValues at(std::size_t point) const;

 private:
  std::vector<Axis> axes_;
};

}  // namespace heddle::sweep
