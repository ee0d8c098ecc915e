#include "sim/collective/nccl_tuning.h"

namespace heddle::collective {

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
