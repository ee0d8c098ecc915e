#include "gui/models/memory_series.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace heddle::gui {
namespace {

MemoryMoment moment_of(const engine::MemorySample& sample, std::int64_t reserved,
                       std::int64_t overhead) {
  MemoryMoment m{sample.time.ps, sample.op, {}, 0};
  std::int64_t held = 0;
  m.layers[kOverheadLayer] = overhead;
  for (std::size_t c = 0; c < sample.by_category.size(); ++c) {
    m.layers[kFirstCategoryLayer + c] = sample.by_category[c].value;
    held += sample.by_category[c].value;
  }
  m.layers[kCachedLayer] = std::max<std::int64_t>(0, reserved - held);
  m.total = std::accumulate(m.layers.begin(), m.layers.end(), std::int64_t{0});
  return m;
}

/// Both lists follow the program; a sample of one without the other's keeps what held before.
std::vector<MemoryMoment> moments_of(const engine::RankResult& rank,
                                     const run::MemoryReport& report) {
  std::vector<MemoryMoment> out;
  out.reserve(rank.memory.size());
  const std::int64_t overhead = (report.context + report.nccl).value;
  std::size_t next = 0;
  std::int64_t reserved = 0;
  for (const engine::MemorySample& sample : rank.memory) {
    if (rank.allocator) {
      const auto& samples = rank.allocator->samples;
      for (; next < samples.size() && samples[next].op <= sample.op; ++next) {
        reserved = samples[next].reserved.value;
      }
    }
    out.push_back(moment_of(sample, reserved, overhead));
  }
  return out;
}

}  // namespace

std::string_view layer_name(std::size_t layer) {
  if (layer == kOverheadLayer) return "CUDA context, NCCL";
  if (layer == kCachedLayer) return "cached";
  constexpr std::array<std::string_view, schedule::kCategoryCount> kNames{
      "parameters",    "gradients", "optimizer states", "activations", "gathered parameters",
      "communication", "workspace", "temporary",        "framework"};
  return kNames[layer - kFirstCategoryLayer];
}

MemorySeries::MemorySeries(const engine::RankResult& rank, const run::MemoryReport& report)
    : MemorySeries(moments_of(rank, report)) {}

MemorySeries::MemorySeries(std::vector<MemoryMoment> moments) : moments_(std::move(moments)) {
  for (std::size_t begin = 0; begin < moments_.size(); begin += kBlock) {
    const auto first = moments_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        moments_.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kBlock, moments_.size()));
    const auto top = std::max_element(
        first, last, [](const auto& a, const auto& b) { return a.total < b.total; });
    highest_.push_back(static_cast<std::size_t>(top - moments_.begin()));
  }
}

/// Of the moments [begin, end), not empty; the first if several are as high.
std::size_t MemorySeries::highest(std::size_t begin, std::size_t end) const {
  std::size_t best = begin;
  for (std::size_t i = begin; i < end;) {
    const bool whole = i % kBlock == 0 && i + kBlock <= end;
    const std::size_t candidate = whole ? highest_[i / kBlock] : i;
    if (moments_[candidate].total > moments_[best].total) best = candidate;
    i += whole ? kBlock : 1;
  }
  return best;
}

const MemoryMoment* MemorySeries::at(std::int64_t t) const {
  const auto after = std::partition_point(moments_.begin(), moments_.end(),
                                          [t](const MemoryMoment& m) { return m.time <= t; });
  return after == moments_.begin() ? nullptr : &*std::prev(after);
}

const MemoryMoment* MemorySeries::peak() const {
  return moments_.empty() ? nullptr : &moments_[highest(0, moments_.size())];
}

const MemoryMoment* MemorySeries::peak_held() const {
  const auto top = std::max_element(
      moments_.begin(), moments_.end(), [](const MemoryMoment& a, const MemoryMoment& b) {
        return a.total - a.layers[kCachedLayer] < b.total - b.layers[kCachedLayer];
      });
  return top == moments_.end() ? nullptr : &*top;
}

const MemoryMoment* MemorySeries::first_above(std::int64_t limit) const {
  const auto found = std::find_if(moments_.begin(), moments_.end(),
                                  [limit](const MemoryMoment& m) { return m.total > limit; });
  return found == moments_.end() ? nullptr : &*found;
}

std::vector<const MemoryMoment*> MemorySeries::columns(Span range, std::size_t columns) const {
  std::vector<const MemoryMoment*> out(columns, nullptr);
  const double step = range.length() / static_cast<double>(columns);
  const auto index_after = [this](std::int64_t t, std::size_t from) {
    const auto begin = moments_.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<std::size_t>(
        std::partition_point(begin, moments_.end(),
                             [t](const MemoryMoment& m) { return m.time <= t; }) -
        moments_.begin());
  };
  std::size_t begin = index_after(std::llround(range.begin), 0);
  for (std::size_t x = 0; x < columns; ++x) {
    const double until = range.begin + static_cast<double>(x + 1) * step;
    const std::size_t end = index_after(std::llround(until), begin);
    const std::size_t first = begin == 0 ? 0 : begin - 1;  // what holds as the column begins
    if (end > first) out[x] = &moments_[highest(first, end)];
    begin = end;
  }
  return out;
}

}  // namespace heddle::gui
