#include "validator/judge/host_model.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "validator/execute/measured_result.h"
#include "validator/judge/collective_calls.h"
#include "validator/judge/statistics.h"

namespace heddle::judge {
namespace {

using schedule::Kernel;
using schedule::KernelKind;

/// Of the operands and results of all products behind a kernel.
double elements_of(const Kernel& k) {
  const auto m = static_cast<double>(k.m);
  const auto n = static_cast<double>(k.n);
  const auto depth = static_cast<double>(k.k);
  const double products = k.kind == KernelKind::kAttention
                              ? std::max(1.0, k.flops.value / (2 * m * n * depth))
                              : static_cast<double>(k.batch);
  return products * (m * n + m * depth + n * depth);
}

struct KernelSample {
  const Kernel* kernel = nullptr;
  double seconds = 0;
};

/// Relative least squares with the terms that come out negative left out.
LinearTime fit(std::span<const KernelSample> samples, bool product) {
  LinearTime time;
  if (samples.empty()) return time;
  std::vector<int> terms = product ? std::vector<int>{0, 1, 2} : std::vector<int>{0, 2};
  const auto term = [&](const Kernel& k, int which) {
    if (which == 0) return 1.0;
    if (which == 1) return k.flops.value;
    return product ? elements_of(k) : static_cast<double>(k.bytes.value);
  };
  while (!terms.empty()) {
    Eigen::MatrixXd a(static_cast<long>(samples.size()), static_cast<long>(terms.size()));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      for (std::size_t t = 0; t < terms.size(); ++t) {
        a(static_cast<long>(i), static_cast<long>(t)) =
            term(*samples[i].kernel, terms[t]) / samples[i].seconds;
      }
    }
    const Eigen::VectorXd scale = a.colwise().norm();
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(a.rows());
    const Eigen::MatrixXd scaled = a * scale.cwiseInverse().asDiagonal();
    const Eigen::VectorXd x = scale.cwiseInverse().asDiagonal() *
                              Eigen::VectorXd(scaled.colPivHouseholderQr().solve(ones));
    const auto worst = std::min_element(x.begin(), x.end());
    if (*worst < 0 && terms.size() > 1) {
      terms.erase(terms.begin() + (worst - x.begin()));
      continue;
    }
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const double value = std::max(0.0, x(static_cast<long>(t)));
      (terms[t] == 0 ? time.fixed : terms[t] == 1 ? time.per_flop : time.per_element) = value;
    }
    for (const KernelSample& sample : samples) {
      const double size =
          product ? sample.kernel->flops.value : static_cast<double>(sample.kernel->bytes.value);
      time.least = time.least > 0 ? std::min(time.least, size) : size;
      time.most = std::max(time.most, size);
    }
    time.sigma = std::sqrt((a * x - ones).squaredNorm() / static_cast<double>(a.rows()));
    break;
  }
  return time;
}

/// Mean seconds of each op over ranks and repeats of the probe. Means, since times add up to a
/// step: where ranks share cores an op either has one or waits for one, and the median would know
/// only the first.
class ProbeTimes {
 public:
  ProbeTimes(const Probe& probe, Repeats repeats) {
    for (const auto& runs : repeats) {
      const engine::RunResult result = execute::measured_result(probe.schedule, runs);
      for (const engine::RankResult& rank : result.ranks) {
        for (const engine::Interval& i : rank.intervals) {
          kernel_[i.op].push_back((i.end - i.start).seconds());
        }
      }
      for (const CollectiveCall& call : collective_calls(probe.schedule, result)) {
        collective_[call.op].push_back(call.duration().seconds());
      }
    }
  }
  double kernel(std::uint32_t op) const { return mean(kernel_.at(op)); }
  double collective(std::uint32_t op) const { return mean(collective_.at(op)); }

 private:
  std::map<std::uint32_t, std::vector<double>> kernel_;
  std::map<std::uint32_t, std::vector<double>> collective_;
};

/// From the first start to the last end of the ops beside each other.
double together_seconds(const Probe& probe, Repeats repeats) {
  const std::uint32_t first =
      probe.beside_kernels.empty()
          ? probe.beside_collectives.front()
          : std::min(probe.beside_kernels.front(), probe.beside_collectives.front());
  std::vector<double> lengths;
  for (const auto& runs : repeats) {
    std::int64_t start = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = 0;
    for (const execute::RankRun& run : runs) {
      for (const device::OpTime& op : run.ops) {
        if (op.op < first) continue;
        start = std::min(start, op.start_ns);
        end = std::max(end, op.end_ns);
      }
    }
    lengths.push_back(static_cast<double>(end - start) * 1e-9);
  }
  return percentile(lengths, 0.5);
}

/// From one small kernel to the next, the host waiting for each.
double turn_seconds(const Probe& probe, Repeats repeats) {
  std::vector<double> turns;
  for (const auto& runs : repeats) {
    for (const execute::RankRun& run : runs) {
      std::optional<std::int64_t> before;
      for (const device::OpTime& op : run.ops) {
        if (!std::binary_search(probe.turns.begin(), probe.turns.end(), op.op)) continue;
        if (before) turns.push_back(static_cast<double>(op.start_ns - *before) * 1e-9);
        before = op.start_ns;
      }
    }
  }
  return turns.empty() ? 0 : percentile(turns, 0.5);
}

}  // namespace

HostCosts::HostCosts(const Probe& probe, Repeats repeats) {
  HEDDLE_CHECK(!repeats.empty(), "costs of a probe that never ran");
  const ProbeTimes times(probe, repeats);
  const auto& ops = probe.schedule.programs.front().ops;
  std::vector<KernelSample> products;
  std::vector<KernelSample> sweeps;
  double kernels_alone = 0;
  for (const std::uint32_t op : probe.kernels) {
    const Kernel& kernel = probe.schedule.kernels[ops[op].arg];
    const double seconds = std::max(1e-9, times.kernel(op));
    (kernel.kind == KernelKind::kMemory ? sweeps : products).push_back({&kernel, seconds});
    kernels_alone += seconds;
  }
  values_.product = fit(products, true);
  values_.sweep = fit(sweeps, false);
  std::map<std::uint32_t, std::vector<double>> by_collective;
  double collectives_alone = 0;
  for (const std::uint32_t op : probe.collectives) {
    by_collective[ops[op].arg].push_back(times.collective(op));
    collectives_alone += times.collective(op);
  }
  for (const auto& [id, seconds] : by_collective) {
    add_collective(probe.schedule.collectives[id], seconds);
  }
  smooth_collectives();
  values_.turn = turn_seconds(probe, repeats);
  const double least = std::min(kernels_alone, collectives_alone);
  if (least > 0) {
    const double saved = kernels_alone + collectives_alone - together_seconds(probe, repeats);
    values_.beside = std::clamp(saved / least, 0.0, 1.0);
  }
  report();
}

void HostCosts::add_collective(const schedule::Collective& collective,
                               std::span<const double> seconds) {
  const Summary summary = summarize(seconds);
  values_.collectives[{collective.kind, collective.communicator.value}].push_back(
      {static_cast<double>(collective.bytes.value), mean(seconds)});
  values_.collective_sigma = std::max(values_.collective_sigma, summary.spread() / 2.56);
}

/// By size; more bytes never take less time.
void HostCosts::smooth_collectives() {
  for (auto& [call, points] : values_.collectives) {
    std::sort(points.begin(), points.end(),
              [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    for (std::size_t i = 1; i < points.size(); ++i) {
      points[i].seconds = std::max(points[i].seconds, points[i - 1].seconds);
    }
  }
}

double HostCosts::kernel_seconds(const Kernel& kernel) const {
  if (kernel.kind == KernelKind::kMemory) {
    return values_.sweep.fixed +
           values_.sweep.per_element * static_cast<double>(kernel.bytes.value);
  }
  return values_.product.fixed + values_.product.per_flop * kernel.flops.value +
         values_.product.per_element * elements_of(kernel);
}

double HostCosts::collective_seconds(const schedule::Collective& collective) const {
  const auto found = values_.collectives.find({collective.kind, collective.communicator.value});
  if (found == values_.collectives.end()) return 0;
  const std::vector<CollectivePoint>& points = found->second;
  const auto bytes = static_cast<double>(collective.bytes.value);
  std::size_t upper = 1;
  while (upper + 1 < points.size() && points[upper].bytes < bytes) ++upper;
  if (points.size() < 2) return points.front().seconds;
  const CollectivePoint& a = points[upper - 1];
  const CollectivePoint& b = points[upper];
  const double slope = b.bytes > a.bytes ? (b.seconds - a.seconds) / (b.bytes - a.bytes) : 0;
  return std::max(0.5 * points.front().seconds, a.seconds + slope * (bytes - a.bytes));
}

engine::CostTable HostCosts::price(const schedule::Schedule& schedule) const {
  engine::CostTable costs;
  costs.launch_latency = duration_from_seconds(values_.turn);
  // A kernel beside a collective: x of its pace, but never quite none.
  const double slower = 1.0 / std::max(0.02, values_.beside);
  std::vector<Duration> beside;
  for (const Kernel& kernel : schedule.kernels) {
    const double seconds = kernel_seconds(kernel);
    costs.kernels.push_back(duration_from_seconds(seconds));
    beside.push_back(duration_from_seconds(seconds * slower));
  }
  for (const schedule::Collective& collective : schedule.collectives) {
    // All of it is transfer: what runs beside a collective is slowed from its first moment on.
    collective::CollectiveCost cost;
    const double seconds = collective_seconds(collective);
    cost.payload = collective.bytes;
    cost.total = duration_from_seconds(seconds);
    if (collective.bytes.value > 0 && cost.total.ps > 0) {
      cost.rate = collective.bytes / cost.total;
      cost.rate_cap = cost.rate;
    }
    costs.collectives.push_back(cost);
    costs.beside.push_back(beside);
  }
  return costs;
}

void HostCosts::report() {
  const auto add = [&](std::string name, double value, std::string unit, double sigma) {
    parameters_.push_back({std::move(name), value, std::move(unit), sigma});
  };
  const auto rate = [](double per) { return per > 0 ? 1.0 / per : 0.0; };
  add("product/fixed", values_.product.fixed, "s", values_.product.sigma);
  add("product/rate", rate(values_.product.per_flop), "FLOP/s", values_.product.sigma);
  add("product/elements", rate(values_.product.per_element), "1/s", values_.product.sigma);
  add("sweep/fixed", values_.sweep.fixed, "s", values_.sweep.sigma);
  add("sweep/rate", rate(values_.sweep.per_element), "B/s", values_.sweep.sigma);
  add("turn", values_.turn, "s", 0.5);
  add("beside", values_.beside, "share", 0.2);
  for (const auto& [call, points] : values_.collectives) {
    const std::string where =
        call.second == 0 ? "" : " on communicator " + std::to_string(call.second);
    for (const CollectivePoint& p : points) {
      add(std::string(to_string(call.first)) + where + "/" +
              std::to_string(static_cast<std::int64_t>(p.bytes)) + " B",
          p.seconds, "s", values_.collective_sigma);
    }
  }
}

}  // namespace heddle::judge
