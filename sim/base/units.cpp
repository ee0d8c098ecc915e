#include "sim/base/units.h"

#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/error.h"
#include "sim/base/int128.h"

namespace heddle {
namespace {

using Wide = Int128;

std::int64_t narrow(Wide value) {
  HEDDLE_CHECK(value <= std::numeric_limits<std::int64_t>::max(), "quantity exceeds 64 bits");
  return static_cast<std::int64_t>(value);
}

std::int64_t round_to_int64(double value) {
  HEDDLE_CHECK(std::isfinite(value) && value >= 0 && value < 9.2e18, "quantity exceeds 64 bits");
  return static_cast<std::int64_t>(value);
}

}  // namespace

void time_overflow() {
  throw Error(ErrorKind::kRunFailed,
              "the simulated time exceeds 106 days (64 bits of picoseconds): the scenario asks for "
              "too much work");
}

Duration operator/(Bytes a, Bandwidth b) {
  HEDDLE_CHECK(b.bytes_per_second > 0 && a.value >= 0, "a transfer needs a positive rate");
  const Wide scaled = static_cast<Wide>(a.value) * kPicosPerSecond;
  const Wide quotient = (scaled + b.bytes_per_second - 1) / b.bytes_per_second;
  if (quotient > std::numeric_limits<std::int64_t>::max()) time_overflow();
  return {static_cast<std::int64_t>(quotient)};
}

Duration operator/(Flops f, FlopRate r) {
  HEDDLE_CHECK(r.flops_per_second > 0, "a computation needs a positive rate");
  return duration_from_seconds(f.value / r.flops_per_second);
}

Bandwidth operator/(Bytes a, Duration d) {
  HEDDLE_CHECK(d.ps > 0 && a.value >= 0, "an average rate needs a positive duration");
  return {narrow(static_cast<Wide>(a.value) * kPicosPerSecond / d.ps)};
}

Duration duration_from_seconds(double seconds) {
  const double picos = std::ceil(seconds * 1e12);
  HEDDLE_CHECK(picos >= 0, "a duration must be a number and not negative");
  if (picos >= 9.2e18) time_overflow();
  return {static_cast<std::int64_t>(picos)};
}

Bandwidth scale(Bandwidth b, double factor) {
  return {round_to_int64(std::floor(static_cast<double>(b.bytes_per_second) * factor + 0.5))};
}

Bytes scale(Bytes b, double factor) {
  return {round_to_int64(std::floor(static_cast<double>(b.value) * factor + 0.5))};
}

}  // namespace heddle
