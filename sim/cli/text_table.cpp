#include "sim/cli/text_table.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace heddle::cli {

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const Column& c : columns_) widths_.push_back(std::max(c.title.size(), c.unit.size()));
}

void TextTable::add_row(std::vector<std::string> cells) {
  HEDDLE_CHECK(cells.size() == columns_.size(), "a cell for every column");
  for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], cells[i].size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<std::string>& cells, int indent) const {
  std::string text(static_cast<std::size_t>(indent), ' ');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    const std::string padding(widths_[i] - cells[i].size(), ' ');
    text += columns_[i].align == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string TextTable::render(int indent) const {
  std::vector<std::string> titles;
  std::vector<std::string> units;
  for (const Column& c : columns_) {
    titles.push_back(c.title);
    units.push_back(c.unit);
  }
  std::string text = line(titles, indent);
  if (std::any_of(units.begin(), units.end(), [](const auto& u) { return !u.empty(); })) {
    text += line(units, indent);
  }
  for (const std::vector<std::string>& row : rows_) text += line(row, indent);
  return text;
}

}  // namespace heddle::cli
