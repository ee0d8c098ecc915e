#include "sim/io/topo_lines.h"

#include <utility>

namespace heddle::io {
namespace {

constexpr char kEscape = '\x1b';

bool separates(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

/// Position after the escape sequence that starts at `at`.
std::size_t skip_escape(std::string_view line, std::size_t at) {
  ++at;
  if (at >= line.size() || line[at] != '[') return at;
  for (++at; at < line.size(); ++at) {
    if (line[at] >= '@' && line[at] <= '~') return at + 1;
  }
  return at;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == kEscape) {
      at = skip_escape(line, at);
      continue;
    }
    if (!separates(line[at])) {
      word += line[at];
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
    ++at;
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

}  // namespace

std::vector<TextLine> split_terminal_text(std::string_view text) {
  std::vector<TextLine> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    TextLine line{++number, words_of(text.substr(0, end))};
    if (!line.words.empty()) lines.push_back(std::move(line));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace heddle::io
