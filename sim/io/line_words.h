#pragma once
// A line of text as words between single blanks; a word in quotes may hold anything, escaped.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

/// In quotes; quotes and backslashes get a backslash, what is below a blank is \xHH.
std::string quoted_word(std::string_view text);

struct LineWord {
  std::string text;
  bool quoted = false;
};

/// nullopt if blanks are doubled, leading or trailing, or a quote is not closed.
std::optional<std::vector<LineWord>> split_line(std::string_view line);

}  // namespace heddle::io
