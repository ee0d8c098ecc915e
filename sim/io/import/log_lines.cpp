#include "sim/io/import/log_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heddle::io {
namespace {

constexpr char kEscape = '\x1b';

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t after_escape(std::string_view line, std::size_t at) {
  ++at;
  if (at >= line.size() || line[at] != '[') return at;
  for (++at; at < line.size(); ++at) {
    if (line[at] >= '@' && line[at] <= '~') return at + 1;
  }
  return at;
}

std::string without_escapes(std::string_view line) {
  std::string clean;
  clean.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == kEscape) {
      at = after_escape(line, at);
      continue;
    }
    const bool control = static_cast<unsigned char>(line[at]) < ' ';
    clean += control ? ' ' : line[at];
    ++at;
  }
  return clean;
}

std::string_view trim_left(std::string_view text) {
  const std::size_t start = text.find_first_not_of(' ');
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

/// "[1,0]<stdout>:" -> its length.
std::size_t mpirun_label(std::string_view text) {
  if (text.empty() || text.front() != '[') return 0;
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(close + 1);
  for (const std::string_view stream : {"<stdout>:", "<stderr>:"}) {
    if (rest.starts_with(stream)) return close + 1 + stream.size();
  }
  return 0;
}

/// "12: " -> 3; the blank stays.
std::size_t srun_label(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  const bool labelled = digits > 0 && digits < 7 && digits + 1 < text.size() &&
                        text[digits] == ':' && text[digits + 1] == ' ';
  return labelled ? digits + 1 : 0;
}

/// "[2025-07-09 00:57:25]": brackets that open with a year.
std::size_t time_label(std::string_view text) {
  if (text.size() < 6 || text[0] != '[' || text[5] != '-') return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + 5, is_digit)) return 0;
  const std::size_t close = text.find(']');
  return close == std::string_view::npos ? 0 : close + 1;
}

std::size_t worker_label(std::string_view text) {
  if (text.empty() || text.front() != '(') return 0;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return 0;
  const bool names_process = text.substr(0, close).find("pid=") != std::string_view::npos;
  return names_process ? close + 1 : 0;
}

std::string_view without_labels(std::string_view line) {
  while (true) {
    const std::string_view text = trim_left(line);
    const std::size_t label =
        std::max({mpirun_label(text), srun_label(text), time_label(text), worker_label(text)});
    if (label == 0) return line;
    line = text.substr(label);
  }
}

}  // namespace

std::vector<LogLine> split_log_lines(std::string_view text) {
  std::vector<LogLine> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    ++number;
    const std::string clean = without_escapes(text.substr(0, end));
    const std::string_view content = without_labels(clean);
    if (!trim_left(content).empty()) lines.push_back({number, std::string(content)});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trim_left(text); !text.empty(); text = trim_left(text)) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::optional<double> decimal_number(std::string_view word) {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (word.empty() || error != std::errc{} || stop != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string_view> after_prefix(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

std::string_view word_after(const std::vector<std::string_view>& words, std::string_view key) {
  const auto found = std::find(words.begin(), words.end(), key);
  return found == words.end() || found + 1 == words.end() ? std::string_view{} : *(found + 1);
}

}  // namespace heddle::io
