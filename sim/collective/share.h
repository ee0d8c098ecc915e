#pragma once
// Bytes that cross a wire per byte of payload, as an exact fraction.

#include <cstdint>

#include "sim/base/int128.h"
#include "sim/base/units.h"

namespace heddle::collective {

struct Share {
  std::int64_t num = 1;
  std::int64_t den = 1;

  friend bool operator==(const Share&, const Share&) = default;
};

/// The payload rate that a wire rate allows, rounded down.
constexpr Bandwidth payload_rate(Bandwidth wire, Share share) {
  return {static_cast<std::int64_t>(static_cast<Int128>(wire.bytes_per_second) * share.den /
                                    share.num)};
}

}  // namespace heddle::collective
