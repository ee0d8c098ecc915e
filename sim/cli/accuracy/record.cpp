#include "sim/cli/accuracy/record.h"

#include <algorithm>
#include <cmath>

namespace heddle::cli::accuracy {
namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

GroupStatistics statistics(const std::string& name, const std::vector<double>& signed_errors) {
  std::vector<double> sizes;
  for (const double e : signed_errors) sizes.push_back(std::abs(e));
  std::sort(sizes.begin(), sizes.end());
  const std::size_t n = sizes.size();
  const std::size_t rank = (9 * n + 9) / 10;  // ceil(0.9 n)
  return {name,
          n,
          (sizes[(n - 1) / 2] + sizes[n / 2]) / 2,
          mean(sizes),
          sizes[rank - 1],
          mean(signed_errors)};
}

}  // namespace

std::optional<double> signed_error_pct(double predicted, const Measured& measured) {
  const double nearest = std::clamp(predicted, measured.low, measured.high);
  if (nearest == predicted) return 0.0;
  if (nearest <= 0) return std::nullopt;
  return (predicted / nearest - 1) * 100;
}

std::optional<bool> Record::relation_met() const {
  const bool ranged = predicted.value && measured && measured->low < measured->high;
  if (!ranged && !predicted.rules_met) return std::nullopt;
  const bool inside =
      !ranged || (measured->low <= *predicted.value && *predicted.value <= measured->high);
  return inside && predicted.rules_met.value_or(true);
}

std::vector<GroupStatistics> group_statistics(const std::vector<Record>& records) {
  std::vector<std::string> names;
  for (const Record& r : records) {
    if (std::find(names.begin(), names.end(), r.predicted.group) == names.end()) {
      names.push_back(r.predicted.group);
    }
  }
  std::vector<GroupStatistics> groups;
  for (const std::string& name : names) {
    std::vector<double> errors;
    for (const Record& r : records) {
      if (r.predicted.group == name && r.error_pct) errors.push_back(*r.error_pct);
    }
    if (!errors.empty()) groups.push_back(statistics(name, errors));
  }
  return groups;
}

bool is_primary(const std::string& group) {
  return group != kStateGroup;
}

GroupStatistics overall_statistics(const std::vector<GroupStatistics>& groups) {
  GroupStatistics overall{"overall", 0, 0, 0, 0, 0};
  double count = 0;
  for (const GroupStatistics& g : groups) {
    if (!is_primary(g.name)) continue;
    ++count;
    overall.n += g.n;
    overall.median_abs_pct += g.median_abs_pct;
    overall.mean_abs_pct += g.mean_abs_pct;
    overall.p90_abs_pct += g.p90_abs_pct;
    overall.mean_signed_pct += g.mean_signed_pct;
  }
  if (count == 0) return overall;
  for (double* figure : {&overall.median_abs_pct, &overall.mean_abs_pct, &overall.p90_abs_pct,
                         &overall.mean_signed_pct}) {
    *figure /= count;
  }
  return overall;
}

}  // namespace heddle::cli::accuracy
