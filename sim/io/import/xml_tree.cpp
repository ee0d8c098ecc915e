#include "sim/io/import/xml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

namespace heddle::io {
namespace {

/// Line numbers of ascending positions, counted once over the text.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  int line_at(std::size_t offset) {
    const std::size_t end = std::min(offset, text_.size());
    if (end < at_) {
      at_ = 0;
      line_ = 1;
    }
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class Converter {
 public:
  Converter(std::size_t start, LineCounter& lines) : start_(start), lines_(lines) {}

  /// False if the element is nested too deep; `deepest_line` then says where.
  bool convert(const pugi::xml_node& node, int depth, XmlElement& element) {
    element.name = node.name();
    element.line = lines_.line_at(start_ + static_cast<std::size_t>(node.offset_debug()));
    deepest_line = element.line;
    if (depth > kMaxXmlDepth) return false;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      element.attributes.emplace_back(attribute.name(), attribute.value());
    }
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        element.text += child.value();
      }
      if (child.type() != pugi::node_element) continue;
      if (!convert(child, depth + 1, element.children.emplace_back())) return false;
    }
    return true;
  }

  int deepest_line = 0;

 private:
  std::size_t start_;
  LineCounter& lines_;
};

std::string_view region_of(std::string_view text, std::string_view root, std::size_t start) {
  const std::string closing = fmt::format("</{}>", root);
  const std::size_t end = text.find(closing, start);
  const std::size_t stop = end == std::string_view::npos ? text.size() : end + closing.size();
  return text.substr(start, stop - start);
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
  for (const auto& [name_of, value_of] : attributes) {
    if (name_of == key) return &value_of;
  }
  return nullptr;
}

std::string_view XmlElement::value(std::string_view key) const {
  const std::string* found = attribute(key);
  return found ? std::string_view(*found) : std::string_view();
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  for (const XmlElement& element : children) {
    if (element.name == child_name) return &element;
  }
  return nullptr;
}

std::size_t find_element(std::string_view text, std::string_view root) {
  const std::string opening = fmt::format("<{}", root);
  for (std::size_t at = text.find(opening); at != std::string_view::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t next = at + opening.size();
    if (next < text.size() && std::string_view(" \t\r\n>/").find(text[next]) != std::string::npos) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::optional<XmlElement> parse_xml(std::string_view text, std::string_view root,
                                    const std::string& file, Diagnostics& out) {
  if (text.size() > kMaxXmlBytes) {
    out.error("xml-too-long", file, "", 0,
              fmt::format("{} bytes of XML, at most {} are read", text.size(), kMaxXmlBytes),
              "a topology of one machine is far shorter; cut out the part that describes it");
    return std::nullopt;
  }
  const std::size_t start = find_element(text, root);
  if (start == std::string_view::npos) {
    out.error("xml-no-root", file, "", 0, fmt::format("no <{}> element here", root),
              "give the whole XML file, not a part of it");
    return std::nullopt;
  }
  LineCounter lines(text);
  const std::string_view region = region_of(text, root, start);
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(region.data(), region.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    const std::size_t at =
        start + static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset));
    out.error("xml-syntax", file, "", lines.line_at(at), result.description(),
              "the file must be well-formed XML, to its last closing tag");
    return std::nullopt;
  }
  XmlElement element;
  Converter converter(start, lines);
  if (converter.convert(document.document_element(), 1, element)) return element;
  out.error("xml-too-deep", file, "", converter.deepest_line,
            fmt::format("elements are nested more than {} deep", kMaxXmlDepth),
            "no machine nests its devices so deep; is the file damaged?");
  return std::nullopt;
}

}  // namespace heddle::io
