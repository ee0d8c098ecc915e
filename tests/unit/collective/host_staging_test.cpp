// The closed form of CTA serialisation against a step-level model that walks every operation.

#include "sim/collective/host_staging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/collective/collective_model.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

/// Bus bandwidth over hop rate of a ring channel whose ranks run `ops` operations per loop strictly
/// in order: op j > 0 receives what the predecessor sent in its op j - 1, all ops but the last
/// send, and `kSlots` chunks fit between neighbours. An operation takes one unit of time.
double stepped_bus(int ranks, int ops) {
  constexpr int kLoops = 200;
  constexpr int kSlots = 4;
  const auto n = static_cast<std::size_t>(ranks);
  const int total = kLoops * ops;
  std::vector<std::vector<double>> finish(static_cast<std::size_t>(total),
                                          std::vector<double>(n, 0.0));
  const auto at = [&](int op, std::size_t rank) {
    return op < 0 ? 0.0 : finish[static_cast<std::size_t>(op)][rank];
  };
  for (int op = 0; op < total; ++op) {
    for (std::size_t rank = 0; rank < n; ++rank) {
      double start = at(op - 1, rank);
      if (op % ops > 0) start = std::max(start, at(op - 1, (rank + n - 1) % n));
      // The slot to fill was emptied by the operation after the send kSlots sends ago.
      if (op % ops < ops - 1) start = std::max(start, at(op - kSlots - 1, (rank + 1) % n));
      finish[static_cast<std::size_t>(op)][rank] = start + 1.0;
    }
  }
  const double second_half = at(total - 1, 0) - at(total / 2 - 1, 0);
  return 0.5 * kLoops * (ops - 1) / second_half;
}

double closed_form_bus(CollectiveKind kind, int ranks) {
  const Share ops = operations_per_chunk(kind, ranks);
  return static_cast<double>(ops.den) / static_cast<double>(ops.num) *
         CollectiveModel::bus_factor(kind, ranks);
}

TEST(HostStaging, SendingShareOfOperationsMatchesStepLevel) {
  for (int n = 2; n <= 8; ++n) {
    EXPECT_NEAR(closed_form_bus(CollectiveKind::kAllReduce, n), stepped_bus(n, 2 * n - 1), 0.01);
    EXPECT_NEAR(closed_form_bus(CollectiveKind::kAllGather, n), stepped_bus(n, n), 0.01);
    EXPECT_NEAR(closed_form_bus(CollectiveKind::kReduceScatter, n), stepped_bus(n, n), 0.01);
  }
}

TEST(HostStaging, AllReduceFractionsOfTheNotes) {
  EXPECT_DOUBLE_EQ(closed_form_bus(CollectiveKind::kAllReduce, 2), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(closed_form_bus(CollectiveKind::kAllReduce, 4), 6.0 / 7.0);
  EXPECT_DOUBLE_EQ(closed_form_bus(CollectiveKind::kAllReduce, 8), 14.0 / 15.0);
}

}  // namespace
}  // namespace heddle::collective
