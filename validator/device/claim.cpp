#include "validator/device/claim.h"

#include <fmt/format.h>

#include <string>

namespace heddle::device {

std::string to_text(const Claim& claim) {
  return fmt::format("number {}: {} of {} bytes, {}", claim.number,
                     to_string(static_cast<schedule::CollectiveKind>(claim.kind)), claim.bytes,
                     to_string(static_cast<schedule::DType>(claim.dtype)));
}

Claim claim_of(const CollectiveView& view) {
  return {view.number, view.collective.bytes.value, static_cast<std::int32_t>(view.collective.kind),
          static_cast<std::int32_t>(view.collective.dtype)};
}

std::optional<Failure> compare_claims(const CollectiveView& view, std::span<const Claim> claims) {
  const Claim mine = claim_of(view);
  for (std::size_t member = 0; member < claims.size(); ++member) {
    if (claims[member] == mine) continue;
    return Failure{FailureKind::kMismatch,
                   fmt::format("member {} runs {}; member {} runs {}", view.position, to_text(mine),
                               member, to_text(claims[member]))};
  }
  return std::nullopt;
}

}  // namespace heddle::device
