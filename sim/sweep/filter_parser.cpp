// --where as text: recursive descent over its words.

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "sim/base/nearest_name.h"
#include "sim/sweep/filter.h"
#include "sim/sweep/filter_words.h"

namespace heddle::sweep {
namespace {

constexpr int kMostBrackets = 64;
constexpr const char* kHint =
    "write column operator value, for example: step_time < 200 ms and verdict == fits; operators "
    "are < <= > >= == !=, join with and, or, ( )";

Comparison comparison_of(const std::string& word) {
  if (word == "<") return Comparison::kLess;
  if (word == "<=") return Comparison::kLessOrEqual;
  if (word == ">") return Comparison::kMore;
  if (word == ">=") return Comparison::kMoreOrEqual;
  return word == "==" ? Comparison::kEqual : Comparison::kUnequal;
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

class FilterParser {
 public:
  FilterParser(std::string_view text, const std::vector<Column>& columns)
      : words_(filter_words(text)), columns_(columns) {}

  Parsed<Filter> parse() {
    if (words_.empty()) return {std::nullopt, "it is empty", kHint};
    if (words_.back().kind == FilterWord::Kind::kFaulty) fail(words_.back().text);
    if (reason_.empty()) alternatives(0);
    if (reason_.empty() && at_ < words_.size()) {
      fail(fmt::format("nothing is expected at \"{:.80}\"", words_[at_].text));
    }
    if (!reason_.empty()) return {std::nullopt, reason_, hint_};
    return {Filter(std::move(program_)), "", ""};
  }

 private:
  void fail(const std::string& reason, const std::string& hint = kHint) {
    if (!reason_.empty()) return;
    reason_ = reason;
    hint_ = hint;
  }

  const FilterWord* next() { return at_ < words_.size() ? &words_[at_++] : nullptr; }

  bool take(std::string_view word) {
    if (at_ >= words_.size() || !words_[at_].is(word)) return false;
    ++at_;
    return true;
  }

  void alternatives(int depth) {
    conjunction(depth);
    while (reason_.empty() && take("or")) {
      conjunction(depth);
      program_.emplace_back(Join::kOr);
    }
  }

  void conjunction(int depth) {
    term(depth);
    while (reason_.empty() && take("and")) {
      term(depth);
      program_.emplace_back(Join::kAnd);
    }
  }

  void term(int depth) {
    const FilterWord* word = next();
    if (word == nullptr) return fail("it ends too early");
    if (word->kind != FilterWord::Kind::kOpen) return comparison(*word);
    if (depth == kMostBrackets) return fail("brackets nest too deep");
    alternatives(depth + 1);
    const FilterWord* close = next();
    if (close == nullptr || close->kind != FilterWord::Kind::kClose)
      fail("a bracket is not closed");
  }

  void comparison(const FilterWord& name) {
    Compare compare{find_column(columns_, name.text), Comparison::kEqual, 0.0};
    if (compare.column == columns_.size()) {
      return fail(fmt::format("no column \"{:.80}\"", name.text),
                  suggest_name(name.text, short_names(columns_)));
    }
    const FilterWord* sign = next();
    if (sign == nullptr || sign->kind != FilterWord::Kind::kOperator) {
      return fail(fmt::format("no operator behind \"{}\"", name.text));
    }
    compare.how = comparison_of(sign->text);
    const FilterWord* value = next();
    if (value == nullptr ||
        (value->kind != FilterWord::Kind::kWord && value->kind != FilterWord::Kind::kQuoted)) {
      return fail(fmt::format("no value behind \"{} {}\"", name.text, sign->text));
    }
    compare.with = value_of(columns_[compare.column], *value);
    program_.emplace_back(std::move(compare));
  }

  std::variant<double, std::string> value_of(const Column& column, const FilterWord& value) {
    std::string text = value.text;
    if (value.kind == FilterWord::Kind::kQuoted && column.unit == Unit::kNone) return text;
    const std::optional<double> number = number_of(text);
    const bool unit_follows = number && at_ < words_.size() && !words_[at_].is("and") &&
                              !words_[at_].is("or") && words_[at_].kind == FilterWord::Kind::kWord;
    if (unit_follows) text += " " + next()->text;
    if (column.unit == Unit::kTime) {
      return quantity(parse_duration(text), [](Duration time) { return time.seconds(); });
    }
    if (column.unit == Unit::kBytes) {
      return quantity(parse_bytes(text),
                      [](Bytes bytes) { return static_cast<double>(bytes.value); });
    }
    if (number && !unit_follows) return *number;
    return text;
  }

  template <typename T, typename Convert>
  double quantity(const Parsed<T>& parsed, Convert convert) {
    if (parsed.value) return convert(*parsed.value);
    fail(parsed.reason, parsed.hint.empty() ? kHint : parsed.hint);
    return 0;
  }

  std::vector<FilterWord> words_;
  const std::vector<Column>& columns_;
  std::size_t at_ = 0;
  std::vector<std::variant<Compare, Join>> program_;
  std::string reason_;
  std::string hint_;
};

}  // namespace

Parsed<Filter> parse_filter(std::string_view text, const std::vector<Column>& columns) {
  return FilterParser(text, columns).parse();
}

}  // namespace heddle::sweep
