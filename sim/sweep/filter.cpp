#include "sim/sweep/filter.h"

#include <string>

namespace heddle::sweep {
namespace {

template <typename T>
bool holds(const T& left, Comparison how, const T& right) {
  switch (how) {
    case Comparison::kLess:
      return left < right;
    case Comparison::kLessOrEqual:
      return left <= right;
    case Comparison::kMore:
      return left > right;
    case Comparison::kMoreOrEqual:
      return left >= right;
    case Comparison::kEqual:
      return left == right;
    case Comparison::kUnequal:
      return left != right;
  }
  return false;
}

bool holds(const Cell& cell, const Compare& compare) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    const auto* with = std::get_if<std::string>(&compare.with);
    return with != nullptr && holds(*text, compare.how, *with);
  }
  const auto* with = std::get_if<double>(&compare.with);
  if (with == nullptr) return false;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    return holds(static_cast<double>(*whole), compare.how, *with);
  }
  const auto* real = std::get_if<double>(&cell);
  return real != nullptr && holds(*real, compare.how, *with);
}

}  // namespace

bool Filter::keeps(const Row& row) const {
  if (program_.empty()) return true;
  std::vector<bool> stack;
  for (const auto& step : program_) {
    if (const auto* compare = std::get_if<Compare>(&step)) {
      stack.push_back(holds(row.cells[compare->column], *compare));
      continue;
    }
    const bool last = stack.back();
    stack.pop_back();
    stack.back() = std::get<Join>(step) == Join::kAnd ? stack.back() && last : stack.back() || last;
  }
  return stack.back();
}

}  // namespace heddle::sweep
