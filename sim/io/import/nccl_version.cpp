#include "sim/io/import/nccl_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/number_text.h"

namespace heddle::io {
namespace {

/// The digits and dots at the start: "2.23.4" of "2.23.4+cuda12.6".
std::optional<std::string> dotted(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view version = text.substr(0, end);
  if (std::count(version.begin(), version.end(), '.') < 1 || version.ends_with('.')) {
    return std::nullopt;
  }
  return std::string(version);
}

/// NCCL_VERSION_CODE: 22903 is 2.29.3, before 2.9 it was 2708 for 2.7.8.
std::optional<std::string> from_code(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto code = whole_int(text.substr(0, end), 1000, 999'999);
  if (!code) return std::nullopt;
  const int major = *code >= 10'000 ? 10'000 : 1'000;
  return fmt::format("{}.{}.{}", *code / major, *code % major / 100, *code % 100);
}

}  // namespace

std::optional<std::string> find_nccl_version(std::string_view line) {
  constexpr std::string_view kWords = "CCL version";
  constexpr std::string_view kLibrary = "nccl-library=";
  if (const std::size_t at = line.find(kWords); at != std::string_view::npos) {
    std::string_view rest = line.substr(at + kWords.size());
    const std::size_t start = rest.find_first_not_of(" :");
    if (start != std::string_view::npos) return dotted(rest.substr(start));
  }
  if (const std::size_t at = line.find(kLibrary); at != std::string_view::npos) {
    return from_code(line.substr(at + kLibrary.size()));
  }
  return std::nullopt;
}

}  // namespace heddle::io
