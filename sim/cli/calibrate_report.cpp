#include "sim/cli/calibrate_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "sim/base/units_text.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

constexpr double kOutlier = 0.3;  // weight

struct SizeClass {
  const char* name;
  std::int64_t below;  // bytes
};
constexpr std::array kClasses{
    SizeClass{"below 64 KiB", 64LL << 10}, SizeClass{"64 KiB to 1 MiB", 1LL << 20},
    SizeClass{"1 to 16 MiB", 16LL << 20}, SizeClass{"16 to 256 MiB", 256LL << 20},
    SizeClass{"256 MiB and more", INT64_MAX}};

std::string percent(double share) {
  return format_significant(100 * share, 3) + " %";
}

/// |time of the model / measured - 1|
double error_of(double residual) {
  return std::abs(std::exp(residual) - 1);
}

std::string median_error(std::vector<double> errors) {
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  return percent(*middle);
}

/// Calls visit(sweep, row, result) for every row, in the order of the fit.
template <typename Visit>
void for_each_row(const CalibrationReport& report, const Visit& visit) {
  std::size_t i = 0;
  for (const UsableSweep& sweep : report.collection.sweeps) {
    for (const io::NcclTestsRow& row : sweep.rows) {
      visit(sweep, row, report.calibration.rows[i++]);
    }
  }
}

std::string parameters_text(const fit::Calibration& calibration) {
  TextTable table({{"parameter", "", Align::kLeft},
                   {"prior", ""},
                   {"fitted", ""},
                   {"+-", ""},
                   {"rows", "used"},
                   {"sweeps", "used"}});
  for (const fit::FittedParameter& fitted : calibration.parameters) {
    const bool known = fitted.determined;
    table.add_row({std::string(fitted.parameter->name),
                   parameter_text(*fitted.parameter, fitted.prior),
                   known ? parameter_text(*fitted.parameter, fitted.fitted) : "-",
                   known ? percent(fitted.sigma) : "-", fmt::format("{}", fitted.rows),
                   fmt::format("{}", fitted.sweeps)});
  }
  std::string text = table.render(2);
  for (const fit::FittedParameter& fitted : calibration.parameters) {
    if (!fitted.determined) {
      text += fmt::format("  not fitted: {}: {}\n", fitted.parameter->name, fitted.reason);
    } else if (fitted.at_bound) {
      text += fmt::format(
          "  at its bound: {}: measured times are shorter than the links allow; check the node\n",
          fitted.parameter->name);
    }
  }
  if (!calibration.converged) {
    text += "  not settled: the search stopped before the fitted values did; check the sweeps\n";
  }
  return text;
}

std::string residuals_text(const CalibrationReport& report) {
  TextTable table({{"size", "", Align::kLeft},
                   {"rows", ""},
                   {"before", "median |error|"},
                   {"after", "median |error|"}});
  std::int64_t from = 0;
  for (const SizeClass& size : kClasses) {
    std::vector<double> before;
    std::vector<double> after;
    for_each_row(report, [&](const auto&, const auto& row, const fit::RowResult& result) {
      if (row.bytes < from || row.bytes >= size.below) return;
      before.push_back(error_of(result.residual_before));
      after.push_back(error_of(result.residual_after));
    });
    from = size.below;
    if (before.empty()) continue;
    table.add_row(
        {size.name, fmt::format("{}", before.size()), median_error(before), median_error(after)});
  }
  return table.render(2);
}

std::string outliers_text(const CalibrationReport& report) {
  std::string text;
  for_each_row(report, [&](const UsableSweep& sweep, const io::NcclTestsRow& row,
                           const fit::RowResult& result) {
    if (result.weight <= 0 || result.weight >= kOutlier) return;
    text += fmt::format(
        "  {}:{}: {} {} B: measured {} us, model {} us (weight {:.2f})\n", sweep.file, row.line,
        schedule::to_string(sweep.kind), row.bytes, *row.out_of_place.time_us,
        format_significant(*row.out_of_place.time_us * std::exp(result.residual_after), 4),
        result.weight);
  });
  return text.empty() ? text : "\nOutliers (believed less than 30 %):\n" + text;
}

int used_rows(const fit::Calibration& calibration) {
  return static_cast<int>(std::count_if(calibration.rows.begin(), calibration.rows.end(),
                                        [](const auto& row) { return row.weight > 0; }));
}

}  // namespace

std::string parameter_text(const fit::CommParameter& parameter, double value) {
  if (parameter.unit == "B/s") return format_significant(value * 1e-9, 4) + " GB/s";
  if (parameter.unit == "s") return format_significant(value * 1e6, 3) + " us";
  return format_significant(100 * value, 3) + " %";
}

std::string measured_with(const SweepCollection& collection) {
  std::vector<std::string> files;
  std::set<std::string> versions;
  std::size_t rows = 0;
  for (const UsableSweep& sweep : collection.sweeps) {
    const std::string name = std::filesystem::path(sweep.file).filename().string();
    if (std::find(files.begin(), files.end(), name) == files.end()) files.push_back(name);
    if (sweep.nccl_version) versions.insert(*sweep.nccl_version);
    rows += sweep.rows.size();
  }
  return fmt::format(
      "{} {}, {} rows of {}; NCCL {}", collection.sweeps.size(),
      collection.sweeps.size() == 1 ? "sweep" : "sweeps", rows, fmt::join(files, ", "),
      versions.empty() ? "of unknown version" : fmt::format("{}", fmt::join(versions, ", ")));
}

std::string calibration_text(const CalibrationReport& report) {
  std::string text = fmt::format("{}: {}\n", report.machine, measured_with(report.collection));
  for (const UsableSweep& sweep : report.collection.sweeps) {
    text += fmt::format("  {}:{}: {}, {} ranks, {} rows\n", sweep.file, sweep.line,
                        schedule::to_string(sweep.kind), sweep.ranks, sweep.rows.size());
  }
  for (const std::string& skipped : report.collection.skipped) {
    text += fmt::format("  left out: {}\n", skipped);
  }
  text += "\n" + parameters_text(report.calibration);
  text += fmt::format("\n{} of {} rows used, scatter {}; the others depend on nothing fitted\n",
                      used_rows(report.calibration), report.calibration.rows.size(),
                      percent(report.calibration.scatter));
  return text + residuals_text(report) + outliers_text(report);
}

}  // namespace heddle::cli
