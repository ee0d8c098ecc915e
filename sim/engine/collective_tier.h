#pragma once
// One collective alone on its fabric at three fidelities that must agree where they overlap:
//
//   closed   latency + payload / rate, what the model answers
//   fluid    the same activity in the max-min network the simulation runs on
//   step     its rings operation by operation; slow, rings only (sim/collective/ring_steps.h)

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/collective/collective_model.h"

namespace heddle::engine {

enum class Tier { kClosed, kFluid, kStep };
inline constexpr std::array kTiers{Tier::kClosed, Tier::kFluid, Tier::kStep};
std::string_view to_string(Tier tier);  // "closed", "fluid", "step"

/// What a collective runs on.
struct TierInput {
  const fabric::Fabric& fabric;
  std::vector<fabric::DeviceId> members;
  collective::CommSettings settings;
  const collective::NcclTuning& tuning;
};

/// The fluid tier of what the model answered on `fabric`.
Duration fluid_time(const fabric::Fabric& fabric, const collective::CollectiveCost& cost);

/// nullopt and diagnostics where the model has some, or the tier cannot run the kind.
std::optional<Duration> collective_time(const TierInput& input,
                                        const collective::CollectiveRequest& request, Tier tier,
                                        Diagnostics& out);

}  // namespace heddle::engine
