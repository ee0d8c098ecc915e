#include "sim/sweep/row_text.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "sim/io/csv_cell.h"
#include "sim/io/json_writer.h"

namespace heddle::sweep {
namespace {

void write_cell(io::JsonWriter& w, const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    w.value(*whole);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    w.value(*real);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    w.value(*text);
  } else {
    w.null();
  }
}

std::string csv_text(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? "" : io::csv_cell(*text);
}

}  // namespace

RowText::RowText(LineFormat format, std::string sweep, std::vector<Column> columns)
    : format_(format), sweep_(std::move(sweep)), columns_(std::move(columns)) {}

std::string RowText::header() const {
  if (format_ == LineFormat::kJsonLines) return "";
  std::string text = "sweep,point";
  for (const Column& column : columns_) text += "," + io::csv_cell(column.name);
  return text + "\n";
}

std::string RowText::line(const Row& row) const {
  return format_ == LineFormat::kJsonLines ? json_line(row) : csv_line(row);
}

std::string RowText::json_line(const Row& row) const {
  io::JsonWriter w;
  w.begin_object().inline_from_here();
  w.field("sweep", sweep_).field("point", static_cast<std::int64_t>(row.point));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    w.key(columns_[i].name);
    write_cell(w, row.cells[i]);
  }
  w.end_object();
  return w.take();
}

std::string RowText::csv_line(const Row& row) const {
  std::string text = fmt::format("{},{}", sweep_, row.point);
  for (const Cell& cell : row.cells) text += "," + csv_text(cell);
  return text + "\n";
}

std::optional<std::size_t> RowText::point_of(std::string_view line) const {
  const bool json = format_ == LineFormat::kJsonLines;
  const std::string lead =
      json ? fmt::format(R"({{"sweep": "{}", "point": )", sweep_) : sweep_ + ",";
  if (!line.starts_with(lead)) return std::nullopt;
  std::size_t point = 0;
  const char* const end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data() + lead.size(), end, point);
  if (error != std::errc() || rest == end || *rest != ',') return std::nullopt;
  return point;
}

}  // namespace heddle::sweep
