#pragma once
// Columns of text for a terminal: a title line, a line of units, then the rows, two spaces between
// columns and none at the end of a line.

#include <string>
#include <vector>

namespace heddle::cli {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  std::string unit;  // printed under the title; may be empty
  Align align = Align::kRight;
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);
  /// As many cells as there are columns.
  void add_row(std::vector<std::string> cells);
  /// Every line indented by `indent` spaces and ended by a newline.
  std::string render(int indent) const;

 private:
  std::string line(const std::vector<std::string>& cells, int indent) const;

  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace heddle::cli
