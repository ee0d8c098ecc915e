#include "sim/sweep/filter_words.h"

namespace heddle::sweep {
namespace {

constexpr std::string_view kBlank = " \t\n";
constexpr std::string_view kOperatorLetters = "<>=!&|";
constexpr std::string_view kEndsWord = " \t\n<>=!&|()\"";

std::string_view take(std::string_view& text, std::size_t count) {
  const std::string_view taken = text.substr(0, count);
  text.remove_prefix(taken.size());
  return taken;
}

FilterWord quoted(std::string_view& text) {
  const std::size_t end = text.find('"', 1);
  if (end == std::string_view::npos) return {FilterWord::Kind::kFaulty, "a quote is not closed"};
  const std::string_view word = take(text, end + 1);
  return {FilterWord::Kind::kQuoted, std::string(word.substr(1, word.size() - 2))};
}

FilterWord next_word(std::string_view& text) {
  const char c = text.front();
  if (c == '"') return quoted(text);
  if (c == '(') return {FilterWord::Kind::kOpen, std::string(take(text, 1))};
  if (c == ')') return {FilterWord::Kind::kClose, std::string(take(text, 1))};
  if (kOperatorLetters.find(c) == std::string_view::npos) {
    return {FilterWord::Kind::kWord, std::string(take(text, text.find_first_of(kEndsWord)))};
  }
  const std::size_t end = text.find_first_not_of(kOperatorLetters);
  const std::string word(take(text, end));
  for (const std::string_view known : {"<", "<=", ">", ">=", "==", "!="}) {
    if (word == known) return {FilterWord::Kind::kOperator, word};
  }
  return {FilterWord::Kind::kFaulty, "no operator \"" + word + "\""};
}

}  // namespace

std::vector<FilterWord> filter_words(std::string_view text) {
  std::vector<FilterWord> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    words.push_back(next_word(text));
    if (words.back().kind == FilterWord::Kind::kFaulty) return words;
  }
}

}  // namespace heddle::sweep
