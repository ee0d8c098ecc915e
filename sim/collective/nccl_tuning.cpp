#include "sim/collective/nccl_tuning.h"

#include <bit>
#include <cstdint>

namespace heddle::collective {

double at_size(const PerSize& table, Bytes payload) {
  const auto smallest_units = static_cast<std::uint64_t>(payload.value) >> 6U;
  if (smallest_units == 0) return 1.0;
  const auto size_class = static_cast<std::size_t>(std::bit_width(smallest_units) - 1);
  return size_class < kSizeClasses ? table[size_class] : 1.0;
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

Bandwidth ll_bus_cap(const NcclTuning& tuning, int machines) {
  return machines == 1 ? tuning.ll_bus_cap : at_scale(tuning.network.ll_bus_cap_intel, machines);
}

std::optional<Bandwidth> protocol_bus_cap(const NcclTuning& tuning, Protocol protocol, int channels,
                                          int machines) {
  switch (protocol) {
    case Protocol::kLl:
      return ll_bus_cap(tuning, machines);
    case Protocol::kLl128:
      return tuning.ll128_channel_cap * channels;
    case Protocol::kSimple:
      break;
  }
  return std::nullopt;
}

}  // namespace heddle::collective
