#pragma once
// Fits what collectives achieve on one machine to measured times.
//
//   r_i = ln(T_model,i / T_measured,i)        x_j = ln(parameter_j / prior_j)
//   elasticity e_ij = d ln T_model,i / d x_j at the prior
//
// Rows with |e| >= 0.9 for some rate (0.2 for a latency) are used: the others (latency of small
// messages, or a resource that does not bound the time) would pass the error of what is not fitted
// on to what is. A parameter needs three such
// rows of its own, and rows that tell it from the others. Its relative error bar is
//
//   sigma_j^2 = covariance_jj + (s / e_j)^2 / sweeps_j
//
// s: robust scatter of the residuals; e_j: median |e| of its rows; the second term is a floor: rows
// of one sweep share what was particular to that run, so more rows do not make it better known.

#include <functional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/fabric/comm_parameters.h"
#include "sim/fit/comm_parameter.h"

namespace heddle::fit {

struct MeasuredRow {
  int sweep = 0;  // rows of one run share a number
  Bytes bytes;
  double seconds = 0;  // above 0
};

/// The model's time of every row in seconds, in order, for a machine with these parameters. Above
/// zero and smooth in the parameters.
using PredictSeconds = std::function<std::vector<double>(const fabric::CommParameters& comm)>;

struct FittedParameter {
  const CommParameter* parameter = nullptr;
  double prior = 0;
  double fitted = 0;  // the prior where it is not determined
  double sigma = 0;   // relative; below 2
  int rows = 0;
  int sweeps = 0;
  bool determined = false;
  bool at_bound = false;
  std::string reason;  // why it is not determined
};

struct RowResult {
  double residual_before = 0;  // ln(T_model / T_measured)
  double residual_after = 0;
  double weight = 0;  // 1: believed in full; 0: not used
};

struct Calibration {
  std::vector<FittedParameter> parameters;  // those the machine has, in the order of the table
  std::vector<RowResult> rows;              // in the order of the input
  fabric::CommParameters comm;              // the prior with what was fitted
  double scatter = 0;                       // s over the rows used
  bool converged = true;                    // false: stopped before the values settled
};

/// At least one row.
Calibration calibrate(const std::vector<MeasuredRow>& rows, const fabric::CommParameters& prior,
                      const PredictSeconds& predict);

}  // namespace heddle::fit
