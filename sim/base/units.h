#pragma once
// Strong units. GB = 10^9 bytes, GiB = 2^30 bytes; bandwidth is bytes per second in one direction;
// time is integer picoseconds, so a simulated clock never depends on rounding order (range 106
// days). Only operations that mean something exist; a bare number does not convert.
//
//   Bytes / Bandwidth -> Duration   rounded up to the next picosecond
//   Flops / FlopRate  -> Duration   rounded up
//   Bytes / Duration  -> Bandwidth  rounded down

#include <compare>
#include <cstdint>

namespace heddle {

/// Simulated time beyond 64 bits of picoseconds: the input asks for more than 106 days. Throws
/// Error(kRunFailed).
[[noreturn]] void time_overflow();

constexpr std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) time_overflow();
  return sum;
}

constexpr std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) time_overflow();
  return product;
}

struct Bytes {
  std::int64_t value = 0;
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  constexpr Bytes& operator+=(Bytes o) {
    value += o.value;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes o) {
    value -= o.value;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.value + b.value}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.value - b.value}; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t k) { return {a.value * k}; }
  friend constexpr Bytes operator*(std::int64_t k, Bytes a) { return {a.value * k}; }
};

/// A length of simulated time, picoseconds.
struct Duration {
  std::int64_t ps = 0;
  friend constexpr auto operator<=>(Duration, Duration) = default;
  constexpr Duration& operator+=(Duration o) {
    ps = checked_sum(ps, o.ps);
    return *this;
  }
  constexpr Duration& operator-=(Duration o) {
    ps -= o.ps;
    return *this;
  }
  friend constexpr Duration operator+(Duration a, Duration b) { return {checked_sum(a.ps, b.ps)}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ps - b.ps}; }
  friend constexpr Duration operator*(Duration a, std::int64_t k) {
    return {checked_product(a.ps, k)};
  }
  friend constexpr Duration operator*(std::int64_t k, Duration a) {
    return {checked_product(a.ps, k)};
  }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
};

/// A point in simulated time, picoseconds since the start of the simulation.
struct SimTime {
  std::int64_t ps = 0;
  friend constexpr auto operator<=>(SimTime, SimTime) = default;
  constexpr SimTime& operator+=(Duration d) {
    ps = checked_sum(ps, d.ps);
    return *this;
  }
  friend constexpr SimTime operator+(SimTime t, Duration d) { return {checked_sum(t.ps, d.ps)}; }
  friend constexpr SimTime operator-(SimTime t, Duration d) { return {t.ps - d.ps}; }
  friend constexpr Duration operator-(SimTime a, SimTime b) { return {a.ps - b.ps}; }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
};

/// Bytes per second, one direction.
struct Bandwidth {
  std::int64_t bytes_per_second = 0;
  friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
  friend constexpr Bandwidth operator*(Bandwidth a, std::int64_t k) {
    return {a.bytes_per_second * k};
  }
  /// GB/s, for display only.
  constexpr double gb_per_second() const { return static_cast<double>(bytes_per_second) * 1e-9; }
};

/// Floating-point operations (a count; beyond 2^53 only its magnitude matters).
struct Flops {
  double value = 0;
  friend constexpr auto operator<=>(Flops, Flops) = default;
  constexpr Flops& operator+=(Flops o) {
    value += o.value;
    return *this;
  }
  friend constexpr Flops operator+(Flops a, Flops b) { return {a.value + b.value}; }
  friend constexpr Flops operator*(Flops a, double k) { return {a.value * k}; }
};

struct FlopRate {
  double flops_per_second = 0;
  friend constexpr auto operator<=>(FlopRate, FlopRate) = default;
  friend constexpr FlopRate operator*(FlopRate a, double k) { return {a.flops_per_second * k}; }
};

/// One, in the parts per billion in which shares and weights are exact.
inline constexpr std::int64_t kPpb = 1'000'000'000;

inline constexpr std::int64_t kPicosPerSecond = 1'000'000'000'000;

constexpr Duration picoseconds(std::int64_t n) {
  return {n};
}
constexpr Duration nanoseconds(std::int64_t n) {
  return {n * 1'000};
}
constexpr Duration microseconds(std::int64_t n) {
  return {n * 1'000'000};
}
constexpr Duration milliseconds(std::int64_t n) {
  return {n * 1'000'000'000};
}
constexpr Bytes gigabytes(std::int64_t n) {
  return {n * 1'000'000'000};
}
constexpr Bytes mebibytes(std::int64_t n) {
  return {n << 20};
}
constexpr Bytes gibibytes(std::int64_t n) {
  return {n << 30};
}

/// Rounded up, so that a transfer never finishes early. `b` must be positive.
Duration operator/(Bytes a, Bandwidth b);
/// Rounded up to a picosecond. `r` must be positive.
Duration operator/(Flops f, FlopRate r);
/// Average rate, rounded down. `d` must be positive.
Bandwidth operator/(Bytes a, Duration d);
/// Rounded up. More than 106 days: see time_overflow(). `seconds` must be a number.
Duration duration_from_seconds(double seconds);
/// Rounded to the nearest; `factor` must be finite and not negative.
Bandwidth scale(Bandwidth b, double factor);
Bytes scale(Bytes b, double factor);

}  // namespace heddle
