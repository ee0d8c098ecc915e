#pragma once
// Terminal text as lines without colours, for importers that care where a word stands.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

struct PlainLine {
  int number = 0;  // 1-based
  std::string text;
};

/// All lines, blank ones included. Escape sequences (ESC [ ... letter) vanish, carriage returns at
/// the end of a line too; other control characters but the tab become blanks, and what is not ASCII
/// a question mark.
std::vector<PlainLine> plain_lines(std::string_view text);

/// A word of a line: where it begins and its text.
struct PlacedWord {
  std::size_t at = 0;
  std::string_view text;
};

/// Runs of characters that are neither blank nor tab, at most `limit` of them.
std::vector<PlacedWord> placed_words(std::string_view line,
                                     std::size_t limit = std::string_view::npos);

/// The column on the screen of the character at `at`, from 0, with a tab stop every 8.
int screen_column(std::string_view line, std::size_t at);

}  // namespace heddle::io
