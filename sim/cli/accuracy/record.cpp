#include "sim/cli/accuracy/record.h"

#include <algorithm>

namespace heddle::cli::accuracy {
namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

GroupStatistics statistics(const std::string& name, std::vector<double> absolute,
                           const std::vector<double>& with_sign) {
  std::sort(absolute.begin(), absolute.end());
  const std::size_t n = absolute.size();
  const std::size_t rank = (9 * n + 9) / 10;  // ceil(0.9 n)
  return {name, n, median(absolute), mean(absolute), absolute[rank - 1], mean(with_sign)};
}

GroupStatistics statistics(const std::string& name, const Errors& errors) {
  return statistics(name, errors.absolute, errors.with_sign);
}

GroupStatistics mean_of(const std::vector<GroupStatistics>& groups) {
  GroupStatistics overall{"overall", 0, 0, 0, 0, 0};
  for (const GroupStatistics& g : groups) {
    overall.n += g.n;
    overall.median_abs_pct += g.median_abs_pct;
    overall.mean_abs_pct += g.mean_abs_pct;
    overall.p90_abs_pct += g.p90_abs_pct;
    overall.mean_signed_pct += g.mean_signed_pct;
  }
  if (groups.empty()) return overall;
  for (double* figure : {&overall.median_abs_pct, &overall.mean_abs_pct, &overall.p90_abs_pct,
                         &overall.mean_signed_pct}) {
    *figure /= static_cast<double>(groups.size());
  }
  return overall;
}

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
    Errors errors;
    for (const Record& r : records) {
      if (r.predicted.group == name && r.error_pct) errors.add(*r.error_pct);
    }
    if (!errors.absolute.empty()) groups.push_back(statistics(name, errors));
  }
  return groups;
}

bool is_primary(const std::string& group) {
  return group != kStateGroup;
}

GroupStatistics overall_statistics(const std::vector<GroupStatistics>& groups) {
  std::vector<GroupStatistics> primary;
  for (const GroupStatistics& g : groups) {
    if (is_primary(g.name)) primary.push_back(g);
  }
  return mean_of(primary);
}

}  // namespace heddle::cli::accuracy
