#include "sim/cli/accuracy/text_pattern.h"

namespace heddle::cli::accuracy {

std::optional<TextPattern> TextPattern::read(const io::Value& value, Diagnostics& out) {
  const auto text = value.as_string(out);
  if (!text) return std::nullopt;
  TextPattern pattern;
  try {
    pattern.regex_ = std::regex(*text, std::regex::ECMAScript | std::regex::icase);
  } catch (const std::regex_error&) {
    value.error("bad-pattern", "\"" + *text + "\" is no regular expression",
                "ECMAScript, as in JavaScript", out);
    return std::nullopt;
  }
  return pattern;
}

bool TextPattern::found_in(const std::string& text) const {
  return !regex_ || std::regex_search(text, *regex_);
}

std::optional<std::vector<std::string>> TextPattern::groups_in(const std::string& text) const {
  std::vector<std::string> groups;
  if (!regex_) return groups;
  std::smatch match;
  if (!std::regex_search(text, match, *regex_)) return std::nullopt;
  for (std::size_t i = 1; i < match.size(); ++i) groups.push_back(match[i].str());
  return groups;
}

TextPattern optional_pattern(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.optional(key);
  return value ? TextPattern::read(*value, out).value_or(TextPattern()) : TextPattern();
}

TextPattern required_pattern(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.required(key);
  return value ? TextPattern::read(*value, out).value_or(TextPattern()) : TextPattern();
}

}  // namespace heddle::cli::accuracy
