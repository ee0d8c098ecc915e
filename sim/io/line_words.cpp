#include "sim/io/line_words.h"

#include <fmt/format.h>

#include <charconv>

namespace heddle::io {
namespace {

/// Takes what follows an opening quote, closing quote included.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string text;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '"') return text;
    if (c != '\\') {
      text += c;
      continue;
    }
    if (rest.empty()) return std::nullopt;
    const char escaped = rest.front();
    rest.remove_prefix(1);
    if (escaped == '"' || escaped == '\\') {
      text += escaped;
      continue;
    }
    unsigned code = 0;
    if (escaped != 'x' || rest.size() < 2) return std::nullopt;
    const auto read = std::from_chars(rest.data(), rest.data() + 2, code, 16);
    if (read.ptr != rest.data() + 2 || code >= 0x20) return std::nullopt;
    text += static_cast<char>(code);
    rest.remove_prefix(2);
  }
  return std::nullopt;
}

}  // namespace

std::string quoted_word(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::optional<std::vector<LineWord>> split_line(std::string_view line) {
  std::vector<LineWord> words;
  while (true) {
    LineWord& word = words.emplace_back();
    if (line.starts_with('"')) {
      line.remove_prefix(1);
      auto text = take_quoted(line);
      if (!text) return std::nullopt;
      word = {std::move(*text), true};
    } else {
      word.text = line.substr(0, line.find(' '));
      if (word.text.empty() || word.text.find('"') != std::string::npos) return std::nullopt;
      line.remove_prefix(word.text.size());
    }
    if (line.empty()) return words;
    if (line.front() != ' ') return std::nullopt;
    line.remove_prefix(1);
  }
}

}  // namespace heddle::io
