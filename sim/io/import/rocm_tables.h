#pragma once
// The tables of a `rocm-smi --showtopo` text, cells still as words.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"

namespace heddle::io {

struct RocmRow {
  int line = 0;
  std::vector<std::string> cells;  // as many as the table has columns
};

struct RocmWords {
  int line = 0;              // of the header; 0: the text has no such table
  std::vector<int> columns;  // GPU numbers, ascending
  std::map<int, RocmRow> rows;
};

struct RocmText {
  RocmWords weight;
  RocmWords hops;
  RocmWords type;
  std::map<int, std::string> numa;  // GPU -> "Numa Affinity", or "Numa Node" without it
};

/// nullopt and errors with line and hint. Rows that a truncated text lacks are warnings.
std::optional<RocmText> read_rocm_text(std::string_view text, const std::string& file,
                                       Diagnostics& out);

}  // namespace heddle::io
