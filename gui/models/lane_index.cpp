#include "gui/models/lane_index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::gui {

LaneIndex::LaneIndex(std::vector<LaneBox> boxes) : boxes_(std::move(boxes)) {
  PaintTimes sum{};
  before_.reserve(boxes_.size() / kBlock + 2);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (i % kBlock == 0) before_.push_back(sum);
    sum[static_cast<std::size_t>(boxes_[i].paint)] += boxes_[i].end - boxes_[i].start;
  }
  before_.push_back(sum);
}

std::size_t LaneIndex::first_after(std::int64_t t) const {
  const auto found = std::partition_point(boxes_.begin(), boxes_.end(),
                                          [t](const LaneBox& box) { return box.end <= t; });
  return static_cast<std::size_t>(found - boxes_.begin());
}

const LaneBox* LaneIndex::at(std::int64_t t, std::int64_t slack) const {
  const std::size_t after = first_after(t);
  const LaneBox* best = nullptr;
  std::int64_t distance = slack;
  for (const std::size_t i : {after, after - 1}) {  // unsigned: -1 is beyond the end
    if (i >= boxes_.size()) continue;
    const std::int64_t off = std::max({boxes_[i].start - t, t - boxes_[i].end, std::int64_t{0}});
    if (off > distance || (best != nullptr && off == distance)) continue;
    distance = off;
    best = &boxes_[i];
  }
  return best;
}

/// Not before `from`; blocks that begin earlier are skipped whole.
std::size_t LaneIndex::first_starting_at(std::int64_t t, std::size_t from) const {
  std::size_t i = from;
  while (i < boxes_.size() && boxes_[i].start < t) {
    const std::size_t next = (i / kBlock + 1) * kBlock;
    i = next < boxes_.size() && boxes_[next].start < t ? next : i + 1;
  }
  return i;
}

/// All of the boxes [first, last).
PaintTimes LaneIndex::whole(std::size_t first, std::size_t last) const {
  PaintTimes out{};
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      out[static_cast<std::size_t>(boxes_[i].paint)] += boxes_[i].end - boxes_[i].start;
    }
  };
  const std::size_t first_block = (first + kBlock - 1) / kBlock;
  const std::size_t last_block = last / kBlock;
  if (first_block >= last_block) {
    add(first, last);
    return out;
  }
  add(first, first_block * kBlock);
  add(last_block * kBlock, last);
  for (std::size_t p = 0; p < kPaintCount; ++p) {
    out[p] += before_[last_block][p] - before_[first_block][p];
  }
  return out;
}

PaintTimes LaneIndex::busy(std::int64_t begin, std::int64_t end, std::size_t& from) const {
  while (from < boxes_.size() && boxes_[from].end <= begin) {
    const std::size_t next = (from / kBlock + 1) * kBlock;
    from = next <= boxes_.size() && boxes_[next - 1].end <= begin ? next : from + 1;
  }
  const std::size_t last = first_starting_at(end, from);
  if (from >= last) return {};
  PaintTimes out = whole(from, last);
  // Disjoint boxes: only the outer two can stick out.
  const LaneBox& head = boxes_[from];
  const LaneBox& tail = boxes_[last - 1];
  out[static_cast<std::size_t>(head.paint)] -= std::max<std::int64_t>(0, begin - head.start);
  out[static_cast<std::size_t>(tail.paint)] -= std::max<std::int64_t>(0, tail.end - end);
  return out;
}

namespace {

/// `busy` picoseconds of a column of `column`.
std::uint32_t mixed(const PaintTimes& busy, double column, const PaintColors& colors,
                    std::uint32_t background) {
  double sum = 0;
  std::array<double, 3> mean{};
  for (std::size_t p = 0; p < kPaintCount; ++p) {
    if (busy[p] == 0) continue;
    const auto weight = static_cast<double>(busy[p]);
    sum += weight;
    for (std::size_t c = 0; c < 3; ++c) {
      mean[c] += weight * static_cast<double>(colors[p] >> (16 - 8 * c) & 0xffU);
    }
  }
  if (sum == 0) return background;
  constexpr double kLeast = 0.4;
  const double cover = std::clamp(sum / column, kLeast, 1.0);
  std::uint32_t out = 0xff;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto under = static_cast<double>(background >> (16 - 8 * c) & 0xffU);
    out = out << 8 |
          static_cast<std::uint32_t>(std::lround(mean[c] / sum * cover + under * (1 - cover)));
  }
  return out;
}

}  // namespace

void paint_row(const LaneIndex& lane, Span range, const PaintColors& colors,
               std::uint32_t background, std::span<std::uint32_t> out) {
  const double step = range.length() / static_cast<double>(out.size());
  std::size_t from = lane.first_after(std::llround(range.begin));
  std::int64_t begin = std::llround(range.begin);
  for (std::size_t x = 0; x < out.size(); ++x) {
    const std::int64_t end = std::max<std::int64_t>(
        begin + 1, std::llround(range.begin + static_cast<double>(x + 1) * step));
    out[x] =
        mixed(lane.busy(begin, end, from), static_cast<double>(end - begin), colors, background);
    begin = end;
  }
}

}  // namespace heddle::gui
