#pragma once
// One line of an nccl-tests table: which words of the line are which column.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/import/nccl_tests.h"

namespace heddle::io {

/// Where the row starts in a line (size, count, type in a row); none if the line has no row.
std::optional<std::size_t> find_row(const std::vector<std::string_view>& words);

/// The row that starts at words[at]. On failure nullopt and what is wrong in `problem`.
std::optional<NcclTestsRow> parse_row(const std::vector<std::string_view>& words, std::size_t at,
                                      std::string& problem);

/// The line that names the columns ("size ... algbw busbw ..."); none if it is none. A column that
/// is not known is left in `problem`.
std::optional<NcclTestsColumns> parse_columns(const std::vector<std::string_view>& words,
                                              std::string& problem);

}  // namespace heddle::io
