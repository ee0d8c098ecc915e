#include "sim/io/import/plain_lines.h"

#include <utility>

namespace heddle::io {
namespace {

constexpr char kEscape = '\x1b';
constexpr int kTabStop = 8;

/// Position after the escape sequence that starts at `at`.
std::size_t skip_escape(std::string_view line, std::size_t at) {
  ++at;
  if (at >= line.size() || line[at] != '[') return at;
  for (++at; at < line.size(); ++at) {
    if (line[at] >= '@' && line[at] <= '~') return at + 1;
  }
  return at;
}

/// The tables are ASCII; what else a text holds must not reach a JSON file as a broken character.
char plain_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x7f) return '?';
  return byte < ' ' && c != '\t' ? ' ' : c;
}

std::string plain(std::string_view line) {
  std::string text;
  text.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == kEscape) {
      at = skip_escape(line, at);
      continue;
    }
    text += plain_character(line[at]);
    ++at;
  }
  return text;
}

bool separates(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

std::vector<PlainLine> plain_lines(std::string_view text) {
  std::vector<PlainLine> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({++number, plain(line)});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<PlacedWord> placed_words(std::string_view line, std::size_t limit) {
  std::vector<PlacedWord> words;
  std::size_t at = 0;
  while (words.size() < limit) {
    while (at < line.size() && separates(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !separates(line[at])) ++at;
    if (begin == at) break;
    words.push_back({begin, line.substr(begin, at - begin)});
  }
  return words;
}

int screen_column(std::string_view line, std::size_t at) {
  int column = 0;
  for (const char c : line.substr(0, at)) {
    column = c == '\t' ? (column / kTabStop + 1) * kTabStop : column + 1;
  }
  return column;
}

}  // namespace heddle::io
