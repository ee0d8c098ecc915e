#include "sim/fit/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/check.h"
#include "sim/fit/least_squares.h"

namespace heddle::fit {
namespace {

constexpr int kRowsMin = 3;
constexpr double kStep = 1e-3;
constexpr double kFarthest = 3;      // ln: no parameter moves by more than a factor of 20
constexpr double kSigmaMost = 1.99;  // an overlay states less than 200 %

class Calibrator {
 public:
  Calibrator(const std::vector<MeasuredRow>& rows, const fabric::CommParameters& prior,
             const PredictSeconds& predict)
      : rows_(rows), prior_(prior), predict_(predict) {
    for (const CommParameter& parameter : comm_parameters()) {
      const std::optional<double> value = parameter.get(prior);
      if (!value) continue;
      FittedParameter fitted;
      fitted.parameter = &parameter;
      fitted.prior = fitted.fitted = *value;
      result_.parameters.push_back(fitted);
    }
  }

  Calibration run() {
    const std::vector<double> before = residuals_of(prior_);
    find_elasticities();
    choose_candidates();
    choose_rows();
    LeastSquaresFit fit = solve();
    while (drop_undetermined(fit)) fit = solve();
    take(fit);
    const std::vector<double> after = residuals_of(result_.comm);
    result_.rows.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      result_.rows[i].residual_before = before[i];
      result_.rows[i].residual_after = after[i];
    }
    for (std::size_t i = 0; i < fit.weights.size(); ++i) {
      result_.rows[used_[i]].weight = fit.weights[i];
    }
    return std::move(result_);
  }

 private:
  std::vector<double> residuals_of(const fabric::CommParameters& comm) const {
    std::vector<double> seconds = predict_(comm);
    HEDDLE_CHECK(seconds.size() == rows_.size(), "a time for every row");
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      seconds[i] = std::log(seconds[i] / rows_[i].seconds);
    }
    return seconds;
  }

  fabric::CommParameters moved(const std::vector<std::size_t>& which,
                               const std::vector<double>& x) const {
    fabric::CommParameters comm = prior_;
    for (std::size_t k = 0; k < which.size(); ++k) {
      const FittedParameter& fitted = result_.parameters[which[k]];
      const double value = fitted.prior * std::exp(x[k]);
      fitted.parameter->set(comm, std::min(value, fitted.parameter->highest));
    }
    return comm;
  }

  LeastSquaresProblem problem(std::vector<std::size_t> which) const {
    LeastSquaresProblem problem;
    problem.start.assign(which.size(), 0);
    problem.low.assign(which.size(), -kFarthest);
    for (const std::size_t k : which) {
      const FittedParameter& fitted = result_.parameters[k];
      problem.high.push_back(
          std::min(kFarthest, std::log(fitted.parameter->highest / fitted.prior)));
    }
    problem.residuals = [this, which = std::move(which)](const std::vector<double>& x) {
      const std::vector<double> all = residuals_of(moved(which, x));
      std::vector<double> some;
      for (const std::size_t i : used_) some.push_back(all[i]);
      return some;
    };
    return problem;
  }

  void find_elasticities() {
    std::vector<std::size_t> all(result_.parameters.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    for (std::size_t i = 0; i < rows_.size(); ++i) used_.push_back(i);
    elasticity_ = jacobian(problem(all), std::vector<double>(all.size(), 0), kStep);
  }

  bool counts(std::size_t row, std::size_t parameter) const {
    return std::abs(elasticity_[row][parameter]) >=
           result_.parameters[parameter].parameter->least_elasticity;
  }

  void choose_candidates() {
    for (std::size_t k = 0; k < result_.parameters.size(); ++k) {
      FittedParameter& fitted = result_.parameters[k];
      std::set<int> sweeps;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!counts(i, k)) continue;
        ++fitted.rows;
        sweeps.insert(rows_[i].sweep);
      }
      fitted.sweeps = static_cast<int>(sweeps.size());
      if (fitted.rows >= kRowsMin) {
        candidates_.push_back(k);
      } else if (fitted.rows == 0) {
        fitted.reason = "no row depends on it";
      } else {
        fitted.reason =
            fmt::format("only {} of {} rows needed depend on it", fitted.rows, kRowsMin);
      }
    }
  }

  void choose_rows() {
    used_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool moves = std::any_of(candidates_.begin(), candidates_.end(),
                                     [&](std::size_t k) { return counts(i, k); });
      if (moves) used_.push_back(i);
    }
  }

  LeastSquaresFit solve() const {
    if (candidates_.empty() || used_.empty()) return {};
    const LeastSquaresProblem chosen = problem(candidates_);
    LeastSquaresOptions options;
    options.step = kStep;
    return least_squares(chosen, options);
  }

  /// Why the rows do not determine a candidate; empty if they do.
  std::string doubt(const LeastSquaresFit& fit, std::size_t i) const {
    if (!fit.determined[i]) return "the rows depend on it only together with another parameter";
    const double sigma = sigma_of(fit, i);
    if (sigma <= kSigmaMost) return "";
    return fmt::format("the rows scatter so much that its error bar is {:.0f} %", 100 * sigma);
  }

  /// Leaves out what the rows do not determine; true if there was any.
  bool drop_undetermined(const LeastSquaresFit& fit) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < fit.determined.size(); ++i) {
      std::string& reason = result_.parameters[candidates_[i]].reason;
      reason = doubt(fit, i);
      if (reason.empty()) kept.push_back(candidates_[i]);
    }
    const bool dropped = kept.size() < candidates_.size();
    candidates_ = std::move(kept);
    if (dropped) choose_rows();
    return dropped;
  }

  void take(const LeastSquaresFit& fit) {
    result_.scatter = fit.scale;
    result_.converged = candidates_.empty() || fit.converged;
    for (std::size_t i = 0; i < fit.x.size(); ++i) {
      FittedParameter& fitted = result_.parameters[candidates_[i]];
      fitted.fitted = std::min(fitted.prior * std::exp(fit.x[i]), fitted.parameter->highest);
      fitted.determined = true;
      fitted.at_bound = fit.at_bound[i];
      fitted.sigma = sigma_of(fit, i);
    }
    result_.comm = moved(candidates_, fit.x);
  }

  /// Of candidate `i`.
  double sigma_of(const LeastSquaresFit& fit, std::size_t i) const {
    const double floor = fit.scale / median_elasticity(candidates_[i]);
    const int sweeps = result_.parameters[candidates_[i]].sweeps;
    return std::sqrt(fit.sigma[i] * fit.sigma[i] + floor * floor / sweeps);
  }

  double median_elasticity(std::size_t parameter) const {
    std::vector<double> magnitudes;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (counts(i, parameter)) magnitudes.push_back(std::abs(elasticity_[i][parameter]));
    }
    std::sort(magnitudes.begin(), magnitudes.end());
    return magnitudes[magnitudes.size() / 2];
  }

  const std::vector<MeasuredRow>& rows_;
  const fabric::CommParameters& prior_;
  const PredictSeconds& predict_;
  Calibration result_;
  std::vector<std::vector<double>> elasticity_;  // rows x parameters
  std::vector<std::size_t> candidates_;          // positions in result_.parameters
  std::vector<std::size_t> used_;                // rows
};

}  // namespace

Calibration calibrate(const std::vector<MeasuredRow>& rows, const fabric::CommParameters& prior,
                      const PredictSeconds& predict) {
  HEDDLE_CHECK(!rows.empty(), "a calibration needs rows");
  return Calibrator(rows, prior, predict).run();
}

}  // namespace heddle::fit
