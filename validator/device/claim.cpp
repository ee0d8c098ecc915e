#include "validator/device/claim.h"

#include <fmt/format.h>

#include <string>

namespace heddle::device {
namespace {

std::string text_of(const Claim& claim) {
  return fmt::format("number {}: {} of {} bytes, {}", claim.number,
                     to_string(static_cast<schedule::CollectiveKind>(claim.kind)), claim.bytes,
                     to_string(static_cast<schedule::DType>(claim.dtype)));
}

}  // namespace

Claim claim_of(const CollectiveView& view) {
  return {view.number, view.collective.bytes.value, static_cast<std::int32_t>(view.collective.kind),
          static_cast<std::int32_t>(view.collective.dtype)};
}

std::optional<Failure> compare_claims(const CollectiveView& view, std::span<const Claim> claims) {
  const Claim mine = claim_of(view);
  for (std::size_t member = 0; member < claims.size(); ++member) {
    if (claims[member] == mine) continue;
    return Failure{FailureKind::kMismatch,
                   fmt::format("member {} runs {}; member {} runs {}", view.position, text_of(mine),
                               member, text_of(claims[member]))};
  }
  return std::nullopt;
}

}  // namespace heddle::device
