#include "sim/io/import/nccl_tests_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/number_text.h"
#include "sim/io/import/log_lines.h"

namespace heddle::io {
namespace {

constexpr std::array<std::string_view, 19> kTypes{
    "int8",    "uint8",    "char",     "int32",    "uint32", "int",     "int64",
    "uint64",  "half",     "float16",  "bfloat16", "float",  "float32", "double",
    "float64", "fp8_e4m3", "fp8_e5m2", "f8e4m3",   "f8e5m2"};

constexpr double kMost = 1e15;  // of any column, and far from where ratios become infinite

std::optional<double> value_of(std::string_view word) {
  return word == "N/A" ? std::nullopt : decimal_number(word);
}

/// A column of numbers may say so, whatever they are.
bool is_value(std::string_view word) {
  return word == "N/A" || std::abs(value_of(word).value_or(kMost)) < kMost;
}

bool is_number(std::string_view word) {
  return word == "N/A" || value_of(word);
}

NcclTestsTiming timing_of(const std::vector<std::string_view>& values, std::size_t at) {
  return {value_of(values[at]), value_of(values[at + 1]), value_of(values[at + 2]),
          value_of(values[at + 3])};
}

bool is_zero_sized_or_positive(const NcclTestsTiming& timing) {
  return !timing.time_us || *timing.time_us > 0;
}

bool is_type(std::string_view word) {
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

}  // namespace

std::optional<std::size_t> find_row(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (is_type(words[i + 2]) && whole_number(words[i]) && whole_number(words[i + 1])) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<NcclTestsRow> parse_row(const std::vector<std::string_view>& words, std::size_t at,
                                      std::string& problem) {
  NcclTestsRow row;
  row.bytes = whole_number(words[at]).value_or(-1);
  row.count = whole_number(words[at + 1]).value_or(-1);
  row.dtype = words[at + 2];
  std::size_t next = at + 3;
  if (next < words.size() && !is_number(words[next])) row.redop = words[next++];
  const std::vector<std::string_view> values(words.begin() + static_cast<std::ptrdiff_t>(next),
                                             words.end());
  const auto stray = std::find_if_not(values.begin(), values.end(), is_value);
  if (stray != values.end()) {
    problem = fmt::format("\"{}\" is not a number below {}", *stray, kMost);
    return std::nullopt;
  }
  // root, then time, algbw, busbw and #wrong once or twice
  const std::size_t root = values.size() % 4;
  if (root > 1 || values.size() < 4 || values.size() > 9) {
    problem = fmt::format("{} columns after the type, not 4, 5, 8 or 9", values.size());
    return std::nullopt;
  }
  if (root == 1) {
    const auto rank = whole_int(values[0], -1, 1'000'000);
    if (!rank) {
      problem = fmt::format("\"{}\" is not a root", values[0]);
      return std::nullopt;
    }
    row.root = *rank;
  }
  row.out_of_place = timing_of(values, root);
  if (values.size() > 5) row.in_place = timing_of(values, root + 4);
  if (row.bytes < 0 || row.count < 0 || !is_zero_sized_or_positive(row.out_of_place) ||
      !is_zero_sized_or_positive(row.in_place)) {
    problem = "a size below zero or a time that is not above it";
    return std::nullopt;
  }
  return row;
}

std::optional<NcclTestsColumns> parse_columns(const std::vector<std::string_view>& words,
                                              std::string& problem) {
  const auto size = std::find(words.begin(), words.end(), "size");
  if (size == words.end() || std::find(size, words.end(), "algbw") == words.end()) {
    return std::nullopt;
  }
  NcclTestsColumns columns;
  for (auto word = size; word != words.end(); ++word) {
    if (*word == "redop")
      columns.redop = true;
    else if (*word == "error")
      columns.error_column = true;
    else if (*word != "size" && *word != "count" && *word != "type" && *word != "root" &&
             *word != "time" && *word != "algbw" && *word != "busbw" && *word != "#wrong")
      problem = *word;
  }
  return columns;
}

}  // namespace heddle::io
