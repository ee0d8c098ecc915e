#pragma once
// A hash of everything that happened, in the order it happened: two runs with equal fingerprints
// took the same path, not only to the same totals. Whole words are mixed instead of bytes (a byte
// hash would cost as much as the simulation); the same value on every machine.

#include <cstdint>
#include <string>

#include "sim/base/units.h"

namespace heddle::engine {

class Fingerprint {
 public:
  /// `kind` below 256, `rank_class` below 2^24.
  void add(SimTime time, std::uint32_t kind, std::uint32_t rank_class, std::uint32_t op) {
    mix(static_cast<std::uint64_t>(time.ps));
    mix((static_cast<std::uint64_t>(kind << 24 | rank_class) << 32) | op);
    ++events_;
  }
  std::uint64_t events() const { return events_; }
  std::string hex() const;

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
    state_ ^= state_ >> 32;
  }
  std::uint64_t state_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace heddle::engine
