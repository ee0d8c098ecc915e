#include "sim/io/schedule_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/base/number_text.h"

namespace heddle::io {

void ScheduleLine::fail(std::string code, std::string message, std::string hint) {
  if (good_) out_.error(std::move(code), file_, "", line_, std::move(message), std::move(hint));
  good_ = false;
}

const LineWord* ScheduleLine::take(bool quoted) {
  if (!good_) return nullptr;
  if (next_ == words_.size()) {
    fail("wrong-length", "the line ends too early", "sim/io/schedule_file.h lists what a line has");
    return nullptr;
  }
  const LineWord& word = words_[next_++];
  if (word.quoted == quoted) return &word;
  fail("wrong-type", fmt::format("\"{}\" {} in quotes", word.text, quoted ? "is not" : "stands"),
       "names are written in quotes, numbers and words are not");
  return nullptr;
}

std::string_view ScheduleLine::word() {
  const LineWord* taken = take(false);
  return taken == nullptr ? std::string_view() : taken->text;
}

std::string ScheduleLine::quoted() {
  const LineWord* taken = take(true);
  return taken == nullptr ? std::string() : taken->text;
}

std::int64_t ScheduleLine::number(std::int64_t low, std::int64_t high, std::string_view what) {
  const std::string_view text = word();
  if (!good_) return low;
  const auto value = whole_number(text);
  if (value && *value >= low && *value <= high) return *value;
  fail(value ? "out-of-range" : "wrong-type", fmt::format("{} is \"{}\"", what, text),
       fmt::format("write a whole number from {} to {}", low, high));
  return low;
}

double ScheduleLine::real(double high, std::string_view what) {
  const std::string_view text = word();
  if (!good_) return 0;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  if (is_number && value >= 0 && value <= high) return value;
  fail(is_number ? "out-of-range" : "wrong-type", fmt::format("{} is \"{}\"", what, text),
       fmt::format("write a number from 0 to {}", high));
  return 0;
}

std::uint32_t ScheduleLine::index(std::size_t size, std::string_view table) {
  const std::string_view text = word();
  if (!good_) return 0;
  const auto value = whole_number(text);
  if (value && *value >= 0 && static_cast<std::size_t>(*value) < size) {
    return static_cast<std::uint32_t>(*value);
  }
  fail("unknown-id", fmt::format("there is no {} {}", table, text),
       size == 0 ? fmt::format("no {} is declared above this line", table)
                 : fmt::format("they are counted from 0 to {}", size - 1));
  return 0;
}

int ScheduleLine::one_of(const std::vector<std::string>& known, std::string_view what) {
  const std::string_view text = word();
  if (!good_) return 0;
  const auto found = std::find(known.begin(), known.end(), text);
  if (found != known.end()) return static_cast<int>(found - known.begin());
  fail("unknown-word", fmt::format("unknown {} \"{}\"", what, text), suggest_name(text, known));
  return 0;
}

bool ScheduleLine::takes(std::string_view word) {
  if (!more() || words_[next_].quoted || words_[next_].text != word) return false;
  ++next_;
  return true;
}

void ScheduleLine::end() {
  if (!more()) return;
  fail("wrong-length", fmt::format("\"{}\" is one word too many", words_[next_].text),
       "sim/io/schedule_file.h lists what a line has");
}

}  // namespace heddle::io
