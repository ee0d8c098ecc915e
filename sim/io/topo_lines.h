#pragma once
// Terminal text as lines of words.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

struct TextLine {
  int number = 0;  // 1-based
  std::vector<std::string> words;
};

/// Lines that have words. Escape sequences (ESC [ ... letter) vanish; control characters and
/// blanks separate words.
std::vector<TextLine> split_terminal_text(std::string_view text);

}  // namespace heddle::io
