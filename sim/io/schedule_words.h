#pragma once
// The words of a schedule, from text to enumerator. to_string() of sim/schedule is the other way.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/schedule.h"

namespace heddle::io {

std::string_view to_string(schedule::Mark::Kind kind);  // "step_begin", "after_optimizer", ...

/// How many enumerators a type of the schedule has, counted from 0.
template <typename Enum>
inline constexpr int kEnumCount = 0;
template <>
inline constexpr int kEnumCount<schedule::OpKind> = 9;
template <>
inline constexpr int kEnumCount<schedule::StreamKind> = schedule::kStreamCount;
template <>
inline constexpr int kEnumCount<schedule::Phase> = schedule::kPhaseCount;
template <>
inline constexpr int kEnumCount<schedule::MemoryCategory> = schedule::kCategoryCount;
template <>
inline constexpr int kEnumCount<schedule::DType> = 4;
template <>
inline constexpr int kEnumCount<schedule::KernelKind> = 3;
template <>
inline constexpr int kEnumCount<schedule::CollectiveKind> = schedule::kCollectiveKinds.size();
template <>
inline constexpr int kEnumCount<schedule::Mark::Kind> = 3;

/// In the order of the enumerators.
template <typename Enum>
std::vector<std::string> enum_words() {
  std::vector<std::string> words;
  for (int i = 0; i < kEnumCount<Enum>; ++i) {
    words.emplace_back(to_string(static_cast<Enum>(i)));
  }
  return words;
}

}  // namespace heddle::io
