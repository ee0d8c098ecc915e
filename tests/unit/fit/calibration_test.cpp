#include "sim/fit/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/rng.h"
#include "tests/support/collective_machines.h"

namespace heddle::fit {
namespace {

using schedule::CollectiveKind;

/// One nccl-tests run on the first `ranks` GPUs of an NVSwitch node.
struct Sweep {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  std::size_t ranks = 2;
  bool p2p = true;
};

/// 1 KiB to 4 GiB in steps of 4: twelve sizes.
std::vector<Bytes> sizes() {
  std::vector<Bytes> found;
  for (std::int64_t size = 1024; size <= 4LL << 30; size *= 4) found.push_back({size});
  return found;
}

PredictSeconds model_of_sweeps(std::vector<Sweep> sweeps) {
  return [sweeps = std::move(sweeps)](const fabric::CommParameters& comm) {
    test::Machine machine = test::h200_sxm();
    machine.comm = comm;
    const fabric::Fabric fabric = test::nvswitch_node(machine);
    std::vector<double> seconds;
    for (const Sweep& sweep : sweeps) {
      collective::CommSettings settings;
      settings.p2p = sweep.p2p;
      const auto model = test::model_of(fabric, test::first_gpus(sweep.ranks), settings);
      for (const Bytes size : sizes()) {
        seconds.push_back(model.cost({sweep.kind, size}).total.seconds());
      }
    }
    return seconds;
  };
}

/// The times of a machine with `truth`, `noise` relative, every tenth row `outlier` times as long.
std::vector<MeasuredRow> measure(const PredictSeconds& predict, const fabric::CommParameters& truth,
                                 double noise, double outlier) {
  Rng rng(11);
  const std::vector<double> seconds = predict(truth);
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    double normal = -6;
    for (int k = 0; k < 12; ++k) normal += rng.uniform();
    const double factor = std::exp(noise * normal) * (i % 10 == 9 ? outlier : 1);
    const std::size_t per_sweep = sizes().size();
    rows.push_back({static_cast<int>(i / per_sweep), sizes()[i % per_sweep], seconds[i] * factor});
  }
  return rows;
}

const FittedParameter& find(const Calibration& calibration, std::string_view name) {
  for (const FittedParameter& fitted : calibration.parameters) {
    if (fitted.parameter->name == name) return fitted;
  }
  throw std::out_of_range(std::string(name));
}

/// Noise of 2 % and outliers give a scatter up to 0.03, and rows an elasticity of at least 0.9:
/// 0.03 / 0.9 and the covariance stay below 0.05.
void expect_truth(const FittedParameter& fitted, double truth) {
  EXPECT_TRUE(fitted.determined) << fitted.reason;
  EXPECT_LT(std::abs(std::log(fitted.fitted / truth)), 2.5 * fitted.sigma);
  EXPECT_GT(fitted.sigma, 0.001);
  EXPECT_LT(fitted.sigma, 0.05);
}

// Two GPUs run rings, eight reduce in the switch, and gathers run rings.
TEST(Calibration, FindsWhatTheRowsWereMadeWith) {
  fabric::CommParameters truth = test::comm_of_the_notes();
  truth.ring_efficiency = 0.8;
  truth.nvls_efficiency = 0.7;
  const PredictSeconds predict = model_of_sweeps({{CollectiveKind::kAllReduce, 2},
                                                  {CollectiveKind::kAllGather, 8},
                                                  {CollectiveKind::kAllReduce, 8}});
  const Calibration found =
      calibrate(measure(predict, truth, 0.02, 1.6), test::comm_of_the_notes(), predict);
  expect_truth(find(found, "ring_efficiency"), 0.8);
  expect_truth(find(found, "nvls_efficiency"), 0.7);
  EXPECT_EQ(find(found, "nvls_efficiency").sweeps, 1);
  EXPECT_NEAR(found.comm.ring_efficiency, find(found, "ring_efficiency").fitted, 1e-12);
  const FittedParameter& pcie = find(found, "pcie_ring_efficiency");
  EXPECT_FALSE(pcie.determined);
  EXPECT_EQ(pcie.reason, "no row depends on it");
  EXPECT_EQ(pcie.fitted, 0.9);
  EXPECT_EQ(found.rows[0].weight, 0);    // 1 KiB: latency
  EXPECT_LT(found.rows[9].weight, 0.3);  // 60 % too long
  EXPECT_GT(found.rows[10].weight, 0.5);
  EXPECT_LT(found.scatter, 0.04);
  EXPECT_LT(std::abs(found.rows[10].residual_after), std::abs(found.rows[10].residual_before));
}

// Four GPUs of one socket and eight of two, staged through host memory: 9 and 12 GB/s per CTA.
TEST(Calibration, FindsHostStagingOfBothKinds) {
  fabric::CommParameters truth = test::comm_of_the_notes();
  truth.host_staging.per_cta_same_socket = test::mb_per_s(9'000);
  truth.host_staging.per_cta_cross_socket = test::mb_per_s(12'000);
  const PredictSeconds predict = model_of_sweeps(
      {{CollectiveKind::kAllReduce, 4, false}, {CollectiveKind::kAllReduce, 8, false}});
  const Calibration found =
      calibrate(measure(predict, truth, 0.01, 1), test::comm_of_the_notes(), predict);
  expect_truth(find(found, "host_staging/per_cta_same_socket"), 9e9);
  expect_truth(find(found, "host_staging/per_cta_cross_socket"), 12e9);
  EXPECT_FALSE(find(found, "ring_efficiency").determined);
}

/// T = S / (x B) with x as given.
PredictSeconds analytic(double (*share)(const fabric::CommParameters&), int rows) {
  return [share, rows](const fabric::CommParameters& comm) {
    std::vector<double> seconds;
    for (int i = 0; i < rows; ++i) seconds.push_back((1 + i) / share(comm));
    return seconds;
  };
}

std::vector<MeasuredRow> rows_of(int count, double share) {
  std::vector<MeasuredRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back({0, Bytes{1}, (1 + i) / share});
  return rows;
}

TEST(Calibration, TwoParametersThatOnlyActTogetherStayPriors) {
  const auto product = [](const fabric::CommParameters& c) {
    return c.ring_efficiency * *c.nvls_efficiency;
  };
  const Calibration found =
      calibrate(rows_of(6, 0.5), test::comm_of_the_notes(), analytic(product, 6));
  for (const char* name : {"ring_efficiency", "nvls_efficiency"}) {
    EXPECT_FALSE(find(found, name).determined);
    EXPECT_NE(find(found, name).reason.find("only together"), std::string::npos);
  }
  EXPECT_EQ(found.comm.ring_efficiency, 0.893);
}

TEST(Calibration, TwoRowsAreTooFew) {
  const auto ring = [](const fabric::CommParameters& c) { return c.ring_efficiency; };
  const Calibration found =
      calibrate(rows_of(2, 0.5), test::comm_of_the_notes(), analytic(ring, 2));
  EXPECT_EQ(find(found, "ring_efficiency").reason, "only 2 of 3 rows needed depend on it");
}

// Half of the rows e^5 times too long, half too short: s = 1.4826 x 5, a bar of over 700 %, which
// an overlay cannot state.
TEST(Calibration, RowsThatScatterWithoutMeasureDetermineNothing) {
  const auto ring = [](const fabric::CommParameters& c) { return c.ring_efficiency; };
  std::vector<MeasuredRow> rows = rows_of(6, test::comm_of_the_notes().ring_efficiency);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].seconds *= std::exp(i % 2 == 0 ? 5 : -5);
  const Calibration found = calibrate(rows, test::comm_of_the_notes(), analytic(ring, 6));
  const FittedParameter& fitted = find(found, "ring_efficiency");
  EXPECT_FALSE(fitted.determined);
  EXPECT_NE(fitted.reason.find("error bar is"), std::string::npos) << fitted.reason;
  EXPECT_EQ(found.comm.ring_efficiency, fitted.prior);
}

// r = (x + 1)^3 is flat at its root: steps take a third off the distance and less and less, so that
// sixty of them do not settle.
TEST(Calibration, ASearchThatDoesNotSettleSaysSo) {
  const auto flat = [](const fabric::CommParameters& c) {
    const double x = std::log(c.ring_efficiency / test::comm_of_the_notes().ring_efficiency);
    return std::exp(-std::pow(x + 1, 3));
  };
  EXPECT_FALSE(calibrate(rows_of(5, 1), test::comm_of_the_notes(), analytic(flat, 5)).converged);
  const auto ring = [](const fabric::CommParameters& c) { return c.ring_efficiency; };
  EXPECT_TRUE(calibrate(rows_of(5, 0.5), test::comm_of_the_notes(), analytic(ring, 5)).converged);
}

TEST(Calibration, AShareAboveOneStopsAtItsBound) {
  const auto ring = [](const fabric::CommParameters& c) { return c.ring_efficiency; };
  const Calibration found =
      calibrate(rows_of(5, 1.2), test::comm_of_the_notes(), analytic(ring, 5));
  EXPECT_TRUE(find(found, "ring_efficiency").at_bound);
  EXPECT_NEAR(found.comm.ring_efficiency, 1, 1e-12);
}

}  // namespace
}  // namespace heddle::fit
