#pragma once
// One line of a schedule file while it is read: its words are taken from the left, and the first
// one that is wrong is the line's diagnostic.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/nearest_name.h"
#include "sim/io/line_words.h"
#include "sim/io/schedule_words.h"

namespace heddle::io {

class ScheduleLine {
 public:
  ScheduleLine(std::vector<LineWord> words, int line, const std::string& file, Diagnostics& out)
      : words_(std::move(words)), line_(line), file_(file), out_(out) {}

  /// After the first problem every word reads as nothing and no more is reported.
  bool good() const { return good_; }
  bool more() const { return good_ && next_ < words_.size(); }
  void fail(std::string code, std::string message, std::string hint);

  std::string_view word();
  std::string quoted();
  std::int64_t number(std::int64_t low, std::int64_t high, std::string_view what);
  double real(double high, std::string_view what);
  /// A reference into a table of `size` entries.
  std::uint32_t index(std::size_t size, std::string_view table);
  template <typename Enum>
  Enum choice(std::string_view what) {
    return static_cast<Enum>(one_of(enum_words<Enum>(), what));
  }
  /// The word is next; if so it is taken.
  bool takes(std::string_view word);
  /// Nothing may be left.
  void end();

 private:
  int one_of(const std::vector<std::string>& known, std::string_view what);
  const LineWord* take(bool quoted);

  std::vector<LineWord> words_;
  std::size_t next_ = 0;
  int line_;
  const std::string& file_;
  Diagnostics& out_;
  bool good_ = true;
};

}  // namespace heddle::io
