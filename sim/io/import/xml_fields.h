#pragma once
// Attributes with a meaning, and what to say where they have none.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/import/xml_tree.h"

namespace heddle::io {

class XmlFields {
 public:
  XmlFields(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  /// None without the attribute or where it is empty; an error where it is no whole number.
  std::optional<int> number(const XmlElement& element, std::string_view key);
  /// As number(), but required.
  int required(const XmlElement& element, std::string_view key, std::string_view hint);

  void fail(std::string code, int line, std::string message, std::string hint);
  void warn(std::string code, int line, std::string message, std::string hint = "");

 private:
  const std::string& file_;
  Diagnostics& out_;
};

}  // namespace heddle::io
