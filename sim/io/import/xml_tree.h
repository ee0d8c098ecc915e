#pragma once
// An XML text as plain elements, for importers that read a text they did not ask for: size and
// depth are limited, entities other than the five of XML are left as they stand, a document type
// is skipped, and nothing outside the text is read.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"

namespace heddle::io {

inline constexpr std::size_t kMaxXmlBytes = std::size_t{8} << 20;  // a large machine needs 200 kB
inline constexpr int kMaxXmlDepth = 64;

struct XmlElement {
  std::string name;
  int line = 0;  // 1-based, in the whole text
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text;  // character data directly inside

  /// Null if there is none of that name.
  const std::string* attribute(std::string_view key) const;
  /// The value, or "" if there is none of that name.
  std::string_view value(std::string_view key) const;
  const XmlElement* child(std::string_view child_name) const;
};

/// The first element `root` of a text that may have other text before and after it. nullopt and an
/// error with line and hint if there is none, or it is malformed, too long or too deep.
std::optional<XmlElement> parse_xml(std::string_view text, std::string_view root,
                                    const std::string& file, Diagnostics& out);

/// Position of "<root" as a whole word; npos if there is none.
std::size_t find_element(std::string_view text, std::string_view root);

}  // namespace heddle::io
