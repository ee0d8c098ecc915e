#include "sim/collective/nccl_version.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cstddef>

namespace heddle::collective {

std::optional<NcclVersion> NcclVersion::parse(std::string_view text) {
  std::array<int, 3> parts{};
  const char* at = text.data();
  const char* end = at + text.size();
  std::size_t count = 0;
  while (count < parts.size()) {
    const auto [rest, error] = std::from_chars(at, end, parts[count]);
    if (error != std::errc() || parts[count] < 0 || parts[count] > 999) return std::nullopt;
    at = rest;
    ++count;
    if (at == end) break;
    if (*at != '.') return std::nullopt;
    ++at;
  }
  if (at != end || count < 2 || text.back() == '.') return std::nullopt;
  return NcclVersion{parts[0], parts[1], parts[2]};
}

std::string NcclVersion::text() const {
  return patch == 0 ? fmt::format("{}.{}", major, minor)
                    : fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace heddle::collective
