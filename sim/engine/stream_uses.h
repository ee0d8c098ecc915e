#pragma once
// What a rank's streams hold when its host frees a block that they use.

#include <array>
#include <cstdint>
#include <span>

#include "sim/allocator/caching_allocator.h"
#include "sim/engine/rank_state.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// Follows a finished rank's program op by op.
class StreamUses {
 public:
  explicit StreamUses(const RankState& rank) : rank_(rank) {}

  void issue(schedule::StreamKind stream) { ++issued_[static_cast<std::size_t>(stream)]; }
  /// The block waits for what the streams that use it hold at this moment. Valid until the next
  /// call.
  std::span<const allocator::StreamUse> of(const schedule::Buffer& buffer) {
    std::size_t count = 0;
    for (std::size_t s = 0; buffer.used_by != 0 && s < issued_.size(); ++s) {
      if ((buffer.used_by >> s & 1U) == 0 || issued_[s] == 0) continue;
      uses_[count++] = {static_cast<std::uint16_t>(s), rank_.streams[s].done_at[issued_[s] - 1]};
    }
    return {uses_.data(), count};
  }

 private:
  const RankState& rank_;
  std::array<std::uint32_t, schedule::kStreamCount> issued_{};
  std::array<allocator::StreamUse, schedule::kStreamCount> uses_{};
};

/// Ops that a rank's host puts on a stream.
constexpr bool is_issued(schedule::OpKind kind) {
  using schedule::OpKind;
  return kind == OpKind::kCompute || kind == OpKind::kCollective || kind == OpKind::kRecord ||
         kind == OpKind::kWait;
}

}  // namespace heddle::engine
