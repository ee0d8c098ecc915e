#pragma once
// UTF-8 as Unicode has it (The Unicode Standard, table 3-7).

#include <cstddef>
#include <string_view>

namespace heddle::io {

inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

struct Utf8Character {
  std::size_t bytes = 1;
  bool sound = true;  // false: these bytes begin no character, U+FFFD is to stand for them
};

/// What the text, which is not empty, begins with.
Utf8Character first_character(std::string_view text);

}  // namespace heddle::io
