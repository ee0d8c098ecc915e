#include "sim/collective/nccl_tuning.h"

#include <bit>
#include <cstdint>

namespace heddle::collective {

double TreeTuning::share_at(Bytes payload, Protocol protocol) const {
  const auto smallest_units = static_cast<std::uint64_t>(payload.value) >> 6U;
  if (smallest_units == 0) return 1.0;
  const auto size_class = static_cast<std::size_t>(std::bit_width(smallest_units) - 1);
  return size_class < kSizeClasses ? of(size_share, protocol)[size_class] : 1.0;
}

double protocol_efficiency(const NcclTuning& tuning, Protocol protocol) {
  switch (protocol) {
    case Protocol::kLl:
      return tuning.ll_efficiency;
    case Protocol::kLl128:
      return tuning.ll128_efficiency;
    case Protocol::kSimple:
      break;
  }
  return 1.0;
}

std::optional<Bandwidth> protocol_bus_cap(const NcclTuning& tuning, Protocol protocol,
                                          int channels) {
  switch (protocol) {
    case Protocol::kLl:
      return tuning.ll_bus_cap;
    case Protocol::kLl128:
      return tuning.ll128_channel_cap * channels;
    case Protocol::kSimple:
      break;
  }
  return std::nullopt;
}

}  // namespace heddle::collective
