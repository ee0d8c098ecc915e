#include "sim/run/variation/rank_noise.h"

#include <algorithm>
#include <cmath>

#include "sim/base/stable_hash.h"
#include "sim/engine/gpu_speed.h"
#include "sim/run/variation/normal.h"

namespace heddle::run {
namespace {

/// The largest of ln(slowdown) so far. Nothing drawn: exactly that of the slowest GPU.
class Largest {
 public:
  void see(double value) { value_ = std::max(value_, value); }
  double factor() const { return std::exp(value_); }

 private:
  double value_ = -1e9;
};

double straggler(const VariationChoice& choice, Rng& rng) {
  if (choice.straggler_chance <= 0 || !rng.chance(choice.straggler_chance)) return 0;
  const double least = 1 / choice.straggler_fast;
  const double most = 1 / choice.straggler_slow;
  return std::log(least + (most - least) * rng.uniform());
}

}  // namespace

std::uint64_t stream_of(const DrawPlace& place, std::string_view name, std::string_view scope) {
  return StableHash()
      .add(place.seed)
      .add(static_cast<std::int64_t>(place.draw))
      .add(name)
      .add(scope)
      .value();
}

Slowest slowest_of(const VariationChoice& choice, int ranks, std::span<const std::int64_t> speeds,
                   const DrawPlace& place, std::string_view machine, std::string_view job) {
  Rng noise_rng(stream_of(place, "noise", job));
  Rng spread_rng(stream_of(place, "spread", machine));
  Rng straggler_rng(stream_of(place, "straggler", job));
  Largest all;
  Largest noise;
  Largest spread;
  Largest stragglers;
  for (int rank = 0; rank < ranks; ++rank) {
    // Of a folded cluster only the first ranks have a speed, all others are at full speed.
    const bool told = static_cast<std::size_t>(rank) < speeds.size();
    const double own = told ? -std::log(static_cast<double>(engine::speed_of(speeds, rank)) /
                                        static_cast<double>(kPpb))
                            : 0;
    const double z1 = choice.kernel_noise > 0 ? choice.kernel_noise * normal(noise_rng) : 0;
    const double z2 = choice.gpu_spread > 0 ? choice.gpu_spread * normal(spread_rng) : 0;
    const double rare = straggler(choice, straggler_rng);
    all.see(own + z1 + z2 + rare);
    noise.see(own + z1);
    spread.see(own + z2);
    stragglers.see(own + rare);
  }
  return {all.factor(), noise.factor(), spread.factor(), stragglers.factor()};
}

}  // namespace heddle::run
