#pragma once
// Rows as text that streams: JSON Lines or CSV with the same columns, each line complete in itself.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/row.h"

namespace heddle::sweep {

enum class LineFormat { kJsonLines, kCsv };

class RowText {
 public:
  /// `sweep`: identity of the whole sweep, in every line.
  RowText(LineFormat format, std::string sweep, std::vector<Column> columns);
  /// Before all rows; "" in JSON Lines.
  std::string header() const;
  std::string line(const Row& row) const;
  /// The point of a line of this sweep, its newline left out; nothing for any other text.
  std::optional<std::size_t> point_of(std::string_view line) const;

 private:
  std::string json_line(const Row& row) const;
  std::string csv_line(const Row& row) const;

  LineFormat format_;
  std::string sweep_;
  std::vector<Column> columns_;
};

}  // namespace heddle::sweep
