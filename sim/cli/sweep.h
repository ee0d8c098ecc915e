#pragma once
// nccl-tests in prediction: one collective over a range of sizes on one group of GPUs.

#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/run/machine.h"
#include "sim/schedule/schedule.h"

namespace heddle::cli {

struct SweepRange {
  Bytes min{8};
  Bytes max{8LL << 30};
  std::int64_t factor = 2;
};

struct SweepPoint {
  Bytes bytes;
  collective::CollectiveCost cost;
  double algbw_gb = 0;  // GB/s: size over time
  double busbw_gb = 0;  // GB/s: algbw times nccl-tests' factor
};

/// From min by the factor, never past max.
std::vector<Bytes> sizes_of(const SweepRange& range);

std::vector<SweepPoint> sweep(const collective::CollectiveModel& model,
                              schedule::CollectiveKind kind, const SweepRange& range);
SweepPoint sweep_point(const collective::CollectiveModel& model, schedule::CollectiveKind kind,
                       Bytes bytes);

/// From its size and time.
void set_bandwidths(SweepPoint& point, schedule::CollectiveKind kind, int ranks);

/// What bounds the time: the latency when it is more than half, else what bounds the rate.
std::string limit_text(const collective::CollectiveCost& cost, const fabric::Fabric& fabric);

}  // namespace heddle::cli
