#include "sim/sweep/resume.h"

#include <fmt/format.h>

namespace heddle::sweep {

Parsed<Resumption> resume_from(std::string_view text, const RowText& lines) {
  const std::string header = lines.header();
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 is 0
  if (whole == 0) return {Resumption{}, "", ""};   // not even a first line
  constexpr const char* kHint =
      "scenario, files, values, options or program have changed; name another file";
  if (!text.starts_with(header)) return {std::nullopt, "line 1 is no line of this sweep", kHint};
  Resumption found{header.size(), 0, ""};
  int number = header.empty() ? 0 : 1;
  for (std::size_t at = header.size(); at < whole;) {
    const std::size_t end = text.find('\n', at);
    const auto point = lines.point_of(text.substr(at, end - at));
    ++number;
    if (!point || *point < found.next) {
      return {std::nullopt, fmt::format("line {} is no line of this sweep", number), kHint};
    }
    if (*point > found.next) found.keep = at;
    found.next = *point;
    at = end + 1;
  }
  found.again = std::string(text.substr(found.keep, whole - found.keep));
  return {found, "", ""};
}

}  // namespace heddle::sweep
