#pragma once
// JSON text in the order it is written: two-space indent, integers as integers, doubles as the
// shortest text that reads back the same, what is not UTF-8 in a text as U+FFFD. The caller keeps
// to the grammar; a slip is an InternalError, never malformed output.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// Containers opened from here on stand on one line, until the one open now is closed.
  JsonWriter& inline_from_here();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();
  template <typename T>
  JsonWriter& field(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  /// The finished text with a newline at its end; every container must be closed.
  std::string take();

 private:
  struct Level {
    char closer;
    bool empty;
    bool on_one_line;
  };
  JsonWriter& open(char opener);
  JsonWriter& close(char closer);
  void separate();
  void new_line();
  void quote(std::string_view text);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace heddle::io
