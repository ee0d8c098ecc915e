#include "sim/cli/sweep.h"

#include "sim/run/case_metrics.h"

namespace heddle::cli {

SweepPoint sweep_point(const collective::CollectiveModel& model, schedule::CollectiveKind kind,
                       Bytes bytes) {
  SweepPoint point{bytes, model.cost({kind, bytes}), 0, 0};
  set_bandwidths(point, kind, model.size());
  return point;
}

void set_bandwidths(SweepPoint& point, schedule::CollectiveKind kind, int ranks) {
  const double seconds = point.cost.total.seconds();
  point.algbw_gb = seconds > 0 ? static_cast<double>(point.bytes.value) * 1e-9 / seconds : 0;
  point.busbw_gb = point.algbw_gb * collective::CollectiveModel::bus_factor(kind, ranks);
}

std::vector<Bytes> sizes_of(const SweepRange& range) {
  std::vector<Bytes> sizes;
  for (Bytes size = range.min;; size = size * range.factor) {
    sizes.push_back(size);
    if (size.value > range.max.value / range.factor) return sizes;
  }
}

std::vector<SweepPoint> sweep(const collective::CollectiveModel& model,
                              schedule::CollectiveKind kind, const SweepRange& range) {
  std::vector<SweepPoint> points;
  for (const Bytes size : sizes_of(range)) points.push_back(sweep_point(model, kind, size));
  return points;
}

std::string limit_text(const collective::CollectiveCost& cost, const fabric::Fabric& fabric) {
  if (cost.latency * 2 > cost.total) return "latency";
  return run::rate_limit(cost, fabric);
}

}  // namespace heddle::cli
