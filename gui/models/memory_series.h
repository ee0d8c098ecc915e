#pragma once
// The memory of one rank over time as the driver sees it, in layers that add up:
//
//   CUDA context + NCCL   fixed, outside the allocator
//   the categories        what buffers hold, in the order of columns everywhere
//   cached                reserved by the allocator and not held by a buffer
//
// Sum = reserved + context + NCCL. Any stretch of time is answered by its highest moment, so that a
// peak of one sample is seen at every zoom.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gui/models/span.h"
#include "sim/run/case_result.h"

namespace heddle::gui {

inline constexpr std::size_t kOverheadLayer = 0;
inline constexpr std::size_t kFirstCategoryLayer = 1;
inline constexpr std::size_t kCachedLayer = 1 + schedule::kCategoryCount;
inline constexpr std::size_t kLayerCount = 2 + schedule::kCategoryCount;
/// "CUDA context, NCCL", "parameters", ..., "cached"
std::string_view layer_name(std::size_t layer);

struct MemoryMoment {
  std::int64_t time = 0;  // ps; holds until the next moment
  std::uint32_t op = 0;
  std::array<std::int64_t, kLayerCount> layers{};  // bytes
  std::int64_t total = 0;                          // of layers
};

class MemorySeries {
 public:
  MemorySeries() = default;
  /// Of `rank` in a recorded case.
  MemorySeries(const engine::RankResult& rank, const run::MemoryReport& report);
  explicit MemorySeries(std::vector<MemoryMoment> moments);

  const std::vector<MemoryMoment>& moments() const { return moments_; }
  /// The moment that holds at `t`; null before the first.
  const MemoryMoment* at(std::int64_t t) const;
  /// The first of the highest moments.
  const MemoryMoment* peak() const;
  /// The first of those in which buffers hold the most: the peak of allocated memory.
  const MemoryMoment* peak_held() const;
  /// The first moment above `limit` bytes; null if there is none.
  const MemoryMoment* first_above(std::int64_t limit) const;
  /// The highest moment that holds in each of `columns` equal parts of `range`; null where there is
  /// none yet.
  std::vector<const MemoryMoment*> columns(Span range, std::size_t columns) const;

 private:
  static constexpr std::size_t kBlock = 64;
  std::size_t highest(std::size_t begin, std::size_t end) const;

  std::vector<MemoryMoment> moments_;
  std::vector<std::size_t> highest_;  // by block
};

}  // namespace heddle::gui
