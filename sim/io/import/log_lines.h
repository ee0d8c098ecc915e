#pragma once
// Program output as lines: what terminals and launchers put around a line is taken off.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

struct LogLine {
  int number = 0;  // 1-based
  std::string text;
};

/// Every line that is not blank, without escape sequences (ESC [ ... letter), control characters
/// and the labels of launchers at its start: "[1,0]<stdout>:" (mpirun), "0: " (srun), "[2025-07-09
/// 00:57:25]", "(Worker pid=1)". Blanks inside are kept.
std::vector<LogLine> split_log_lines(std::string_view text);

/// Separated by blanks.
std::vector<std::string_view> words_of(std::string_view text);

/// The whole of `word` as a decimal number; none if it is anything else or not finite.
std::optional<double> decimal_number(std::string_view word);

/// `text` after `prefix`; none if it does not start so.
std::optional<std::string_view> after_prefix(std::string_view text, std::string_view prefix);

/// The word after `key`: word_after({"rank", "3"}, "rank") is "3"; empty if there is none.
std::string_view word_after(const std::vector<std::string_view>& words, std::string_view key);

}  // namespace heddle::io
