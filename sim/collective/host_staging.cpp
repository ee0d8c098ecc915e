#include "sim/collective/host_staging.h"

namespace heddle::collective {

Share operations_per_chunk(schedule::CollectiveKind kind, int ranks) {
  if (kind == schedule::CollectiveKind::kAllReduce) return {2 * ranks - 1, ranks};
  return {1, 1};
}

Bandwidth staging_rate(const fabric::HostStaging& staging, bool crosses_socket) {
  const Bandwidth per_cta =
      crosses_socket ? staging.per_cta_cross_socket : staging.per_cta_same_socket;
  return per_cta * staging.ctas;
}

}  // namespace heddle::collective
