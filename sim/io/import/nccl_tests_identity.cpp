#include "sim/io/import/nccl_tests_identity.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::io {
namespace {

constexpr double kHalfDigit = 0.005;  // both columns print two decimals
constexpr int kRanksMax = 1'000'000;
constexpr std::array<std::string_view, 10> kPrograms{
    "all_reduce", "all_gather", "reduce_scatter", "alltoall", "alltoallv",
    "sendrecv",   "broadcast",  "reduce",         "gather",   "scatter"};

template <typename Visit>
void for_each_ratio(const NcclTestsSweep& sweep, const Visit& visit) {
  for (const NcclTestsRow& row : sweep.rows) {
    for (const NcclTestsTiming* timing : {&row.out_of_place, &row.in_place}) {
      if (timing->algbw && timing->busbw && *timing->algbw > 2 * kHalfDigit) {
        visit(*timing->algbw, *timing->busbw);
      }
    }
  }
}

bool reduces(const NcclTestsSweep& sweep) {
  const std::string& redop = sweep.rows.front().redop;
  return !redop.empty() && redop != "none";
}

std::vector<std::string> of_ratio_one(const NcclTestsSweep& sweep) {
  const NcclTestsRow& row = sweep.rows.front();
  if (row.root && *row.root >= 0) return {reduces(sweep) ? "reduce" : "broadcast"};
  if (!reduces(sweep)) return {"sendrecv", "broadcast"};
  if (sweep.ranks && *sweep.ranks > 2) return {"sendrecv"};
  return {"all_reduce", "sendrecv"};
}

/// Layouts before 2.11: all_gather's table has no redop column, alltoall's has a blank one.
std::vector<std::string> of_ratio_below_one(const NcclTestsSweep& sweep) {
  if (reduces(sweep)) return {"reduce_scatter"};
  const NcclTestsRow& row = sweep.rows.front();
  if (row.root && *row.root >= 0) return {"gather", "scatter"};
  if (sweep.columns && sweep.columns->error_column && row.redop.empty()) {
    return {sweep.columns->redop ? "alltoall" : "all_gather"};
  }
  return {"all_gather", "alltoall"};
}

}  // namespace

std::optional<RatioRange> ratio_range(const NcclTestsSweep& sweep) {
  RatioRange range{0, 1e9};
  bool any = false;
  for_each_ratio(sweep, [&](double algbw, double busbw) {
    any = true;
    range.low = std::max(range.low, (busbw - kHalfDigit) / (algbw + kHalfDigit));
    range.high = std::min(range.high, (busbw + kHalfDigit) / (algbw - kHalfDigit));
  });
  if (!any || range.low > range.high) return std::nullopt;
  return range;
}

std::optional<double> median_ratio(const NcclTestsSweep& sweep) {
  std::vector<double> fast;
  std::vector<double> all;
  for (const NcclTestsRow& row : sweep.rows) {
    const NcclTestsTiming& timing = row.out_of_place;
    if (!timing.algbw || !timing.busbw || *timing.algbw < kHalfDigit) continue;
    all.push_back(*timing.busbw / *timing.algbw);
    if (*timing.algbw >= 1) fast.push_back(all.back());
  }
  std::vector<double>& ratios = fast.empty() ? all : fast;
  if (ratios.empty()) return std::nullopt;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

std::vector<std::string> possible_collectives(const NcclTestsSweep& sweep,
                                              const RatioRange& ratio) {
  if (ratio.low > 1) return {"all_reduce"};
  if (ratio.high < 1) return of_ratio_below_one(sweep);
  return of_ratio_one(sweep);
}

std::optional<int> ranks_from_ratio(const std::string& collective, const RatioRange& ratio) {
  const bool all_reduce = collective == "all_reduce";
  if (!all_reduce && collective != "all_gather" && collective != "reduce_scatter" &&
      collective != "alltoall") {
    return std::nullopt;
  }
  // f = s (n-1)/n, so n = s / (s - f)
  const double scale = all_reduce ? 2 : 1;
  if (ratio.high >= scale) return std::nullopt;
  const double first = std::ceil(scale / (scale - ratio.low));
  const double last = std::floor(scale / (scale - ratio.high));
  if (first != last || first < 2 || first > kRanksMax) return std::nullopt;
  return static_cast<int>(first);
}

std::string collective_of_program(std::string_view word) {
  word.remove_prefix(std::min(word.size(), word.rfind('/') + 1));
  if (!word.ends_with("_perf")) return {};
  word.remove_suffix(5);
  const bool known = std::find(kPrograms.begin(), kPrograms.end(), word) != kPrograms.end();
  return known ? std::string(word) : std::string{};
}

}  // namespace heddle::io
