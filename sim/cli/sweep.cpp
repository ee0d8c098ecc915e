#include "sim/cli/sweep.h"

#include "sim/run/case_metrics.h"

namespace heddle::cli {

SweepPoint sweep_point(const collective::CollectiveModel& model, schedule::CollectiveKind kind,
                       Bytes bytes) {
  SweepPoint point{bytes, model.cost({kind, bytes}), 0, 0};
  const double seconds = point.cost.total.seconds();
  if (seconds > 0) point.algbw_gb = static_cast<double>(bytes.value) * 1e-9 / seconds;
  point.busbw_gb = point.algbw_gb * collective::CollectiveModel::bus_factor(kind, model.size());
  return point;
}

std::vector<SweepPoint> sweep(const collective::CollectiveModel& model,
                              schedule::CollectiveKind kind, const SweepRange& range) {
  std::vector<SweepPoint> points;
  for (Bytes size = range.min;; size = size * range.factor) {
    points.push_back(sweep_point(model, kind, size));
    if (size.value > range.max.value / range.factor) return points;
  }
}

std::string limit_text(const collective::CollectiveCost& cost, const fabric::Fabric& fabric) {
  if (cost.latency * 2 > cost.total) return "latency";
  return run::rate_limit(cost, fabric);
}

}  // namespace heddle::cli
