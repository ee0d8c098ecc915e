#pragma once
// The boxes of one lane, ready to be drawn at any zoom: how long each paint is busy in a stretch of
// time, from sums over blocks, so that a pixel column costs the same whatever it covers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gui/models/span.h"

namespace heddle::gui {

/// What a box is about; views give each a colour.
enum class Paint : std::uint8_t {
  kInit,
  kForward,
  kLoss,
  kBackward,
  kReduction,
  kOptimizer,
  kStepEnd,
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kOtherCollective,
  kWait,  // the compute stream stands still while a collective runs
};
inline constexpr std::size_t kPaintCount = 12;

struct LaneBox {
  std::int64_t start = 0;  // ps
  std::int64_t end = 0;
  std::uint32_t op = 0;  // of the lane's program; of a wait: the collective's
  Paint paint = Paint::kForward;
};

using PaintTimes = std::array<std::int64_t, kPaintCount>;

class LaneIndex {
 public:
  LaneIndex() = default;
  /// Sorted by start, disjoint, none empty.
  explicit LaneIndex(std::vector<LaneBox> boxes);

  std::span<const LaneBox> boxes() const { return boxes_; }
  /// The first box that ends after `t`; boxes().size() if none does.
  std::size_t first_after(std::int64_t t) const;
  /// The box at `t`, or the nearest within `slack` of it; null if there is none.
  const LaneBox* at(std::int64_t t, std::int64_t slack) const;
  /// Picoseconds of each paint in [begin, end). `from`, at most the first box
  /// that ends after `begin`, is moved there: pass it again for the next stretch.
  PaintTimes busy(std::int64_t begin, std::int64_t end, std::size_t& from) const;

 private:
  static constexpr std::size_t kBlock = 32;
  std::size_t first_starting_at(std::int64_t t, std::size_t from) const;
  PaintTimes whole(std::size_t first, std::size_t last) const;

  std::vector<LaneBox> boxes_;
  std::vector<PaintTimes> before_;  // by block: busy in all blocks before it
};

/// Colours as 0xffRRGGBB, by paint.
using PaintColors = std::array<std::uint32_t, kPaintCount>;

/// One row of pixels: each column the mean colour of what is busy in it over `background`. Nothing
/// disappears: a column with the shortest box has at least two fifths of its colour.
void paint_row(const LaneIndex& lane, Span range, const PaintColors& colors,
               std::uint32_t background, std::span<std::uint32_t> out);

}  // namespace heddle::gui
