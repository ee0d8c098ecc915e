#include "sim/io/import/xml_fields.h"

#include <fmt/format.h>

#include <utility>

#include "sim/base/number_text.h"

namespace heddle::io {

std::optional<int> XmlFields::number(const XmlElement& element, std::string_view key) {
  const std::string_view text = element.value(key);
  if (text.empty()) return std::nullopt;
  if (const auto value = whole_int(text)) return value;
  fail("xml-number", element.line,
       fmt::format("{}=\"{}\" of <{}> is not a whole number", key, text, element.name),
       "NCCL writes plain decimal numbers here");
  return std::nullopt;
}

int XmlFields::required(const XmlElement& element, std::string_view key, std::string_view hint) {
  if (element.value(key).empty()) {
    fail("xml-attribute", element.line, fmt::format("<{}> has no {}", element.name, key),
         std::string(hint));
    return 0;
  }
  return number(element, key).value_or(0);
}

void XmlFields::fail(std::string code, int line, std::string message, std::string hint) {
  out_.error(std::move(code), file_, "", line, std::move(message), std::move(hint));
}

void XmlFields::warn(std::string code, int line, std::string message, std::string hint) {
  out_.add(
      {Severity::kWarning, std::move(code), file_, "", line, std::move(message), std::move(hint)});
}

}  // namespace heddle::io
