#pragma once
// A pattern of a plan: an ECMAScript regular expression looked for anywhere in a text, whatever the
// case.

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

class TextPattern {
 public:
  /// Matches everything.
  TextPattern() = default;
  /// nullopt and a diagnostic if it is no regular expression.
  static std::optional<TextPattern> read(const io::Value& value, Diagnostics& out);
  bool found_in(const std::string& text) const;
  /// What the groups matched, without the whole; nullopt where it is not found.
  std::optional<std::vector<std::string>> groups_in(const std::string& text) const;

 private:
  std::optional<std::regex> regex_;
};

/// Absent: matches everything.
TextPattern optional_pattern(io::ObjectReader& reader, std::string_view key, Diagnostics& out);
TextPattern required_pattern(io::ObjectReader& reader, std::string_view key, Diagnostics& out);

}  // namespace heddle::cli::accuracy
