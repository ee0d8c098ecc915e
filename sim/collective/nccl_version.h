#pragma once
// NCCL's version as its users write it: "2.18", "2.18.3" or "2.27.7".

#include <optional>
#include <string>
#include <string_view>

namespace heddle::collective {

struct NcclVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  /// nullopt unless two or three numbers below 1000 joined by dots.
  static std::optional<NcclVersion> parse(std::string_view text);
  std::string text() const;  // "2.18", "2.18.3": without a patch of zero

  friend auto operator<=>(const NcclVersion&, const NcclVersion&) = default;
};

/// From `since` on, up to but not including `until`; no `until`: every later version.
struct NcclVersionRange {
  NcclVersion since;
  std::optional<NcclVersion> until;

  bool covers(const NcclVersion& version) const {
    return version >= since && (!until || version < *until);
  }
};

}  // namespace heddle::collective
