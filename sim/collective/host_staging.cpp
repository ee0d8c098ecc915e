#include "sim/collective/host_staging.h"

namespace heddle::collective {

Share operations_per_chunk(schedule::CollectiveKind kind, int ranks) {
  if (kind == schedule::CollectiveKind::kAllReduce) return {2 * ranks - 1, ranks};
  return {1, 1};
}

Bandwidth rate_per_cta(const fabric::HostStaging& staging, bool crosses_socket) {
  return crosses_socket ? staging.per_cta_cross_socket : staging.per_cta_same_socket;
}

}  // namespace heddle::collective
