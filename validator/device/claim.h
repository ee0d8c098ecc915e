#pragma once
// What a member of a communicator is about to run, small enough to be compared before it runs.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "validator/device/collective_layout.h"
#include "validator/device/failure.h"

namespace heddle::device {

struct Claim {
  std::uint64_t number = 0;
  std::int64_t bytes = 0;
  std::int32_t kind = 0;
  std::int32_t dtype = 0;

  friend bool operator==(const Claim&, const Claim&) = default;
};
static_assert(std::is_trivially_copyable_v<Claim> && sizeof(Claim) == 24);

Claim claim_of(const CollectiveView& view);
std::string to_text(const Claim& claim);  // "number 3: all_reduce of 1024 bytes, bf16"

/// kMismatch, naming both sides, if one of `claims` (by member) is not what `view` runs.
std::optional<Failure> compare_claims(const CollectiveView& view, std::span<const Claim> claims);

}  // namespace heddle::device
