#include "sim/io/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/base/check.h"
#include "sim/io/utf8.h"

namespace heddle::io {

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

/// What stands before a value or key: a comma, a line break, nothing after a key.
void JsonWriter::separate() {
  if (std::exchange(after_key_, false) || levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += level.on_one_line ? ", " : ",";
  level.empty = false;
  if (!level.on_one_line) new_line();
}

JsonWriter& JsonWriter::open(char opener) {
  separate();
  out_ += opener;
  const bool on_one_line = !levels_.empty() && levels_.back().on_one_line;
  levels_.push_back({opener == '{' ? '}' : ']', true, on_one_line});
  return *this;
}

JsonWriter& JsonWriter::close(char closer) {
  HEDDLE_CHECK(!levels_.empty() && levels_.back().closer == closer && !after_key_,
               "JSON containers do not nest");
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.on_one_line) new_line();
  out_ += closer;
  return *this;
}

JsonWriter& JsonWriter::inline_from_here() {
  HEDDLE_CHECK(!levels_.empty(), "no container to put on one line");
  levels_.back().on_one_line = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  HEDDLE_CHECK(!levels_.empty() && levels_.back().closer == '}', "a key outside an object");
  separate();
  quote(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::quote(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    const char c = text.front();
    const Utf8Character next = first_character(text);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out_ += next.sound ? text.substr(0, next.bytes) : kReplacement;
    }
    text.remove_prefix(next.bytes);
  }
  out_ += '"';
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  out_ += fmt::format("{}", number);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  HEDDLE_CHECK(std::isfinite(number), "JSON has no infinity");
  separate();
  out_ += fmt::format("{}", number);
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  out_ += truth ? "true" : "false";
  return *this;
}

std::string JsonWriter::take() {
  HEDDLE_CHECK(levels_.empty(), "an unclosed JSON container");
  out_ += '\n';
  return std::exchange(out_, {});
}

}  // namespace heddle::io
