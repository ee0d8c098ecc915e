#pragma once
// The words of a filter: names, values, operators and brackets.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::sweep {

struct FilterWord {
  enum class Kind { kOperator, kOpen, kClose, kWord, kQuoted, kFaulty };
  Kind kind = Kind::kWord;
  std::string text;  // of a faulty one: what is wrong

  bool is(std::string_view word) const { return kind == Kind::kWord && text == word; }
};

/// Ends at the first faulty one.
std::vector<FilterWord> filter_words(std::string_view text);

}  // namespace heddle::sweep
