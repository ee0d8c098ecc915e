#pragma once
// The only source of randomness: xoshiro256** seeded through SplitMix64 (Blackman & Vigna, 2018).
// Results are the same on every platform; std::*_distribution is library-defined and not used.

#include <array>
#include <cstdint>

namespace heddle {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t next();
  /// Uniform in [low, high], both included; low <= high.
  std::int64_t uniform_int(std::int64_t low, std::int64_t high);
  /// Uniform in [0, 1) with 53 bits.
  double uniform();
  bool chance(double probability) { return uniform() < probability; }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace heddle
