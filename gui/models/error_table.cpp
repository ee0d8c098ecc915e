#include "gui/models/error_table.h"
#include "gui/models/byte_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr std::array<const char*, ErrorTable::kColumns> kTitles{"last step", "predicted",
                                                                "measured", "error", ""};

std::string time_text(double seconds) {
  return format_duration(duration_from_seconds(seconds));
}

std::string bytes_text(double bytes) {
  return byte_text({std::llround(bytes)});
}

const char* word(Judgement judgement, bool bytes) {
  switch (judgement) {
    case Judgement::kWithin:
      return bytes ? "equal" : "within";
    case Judgement::kTooMuch:
      return bytes ? "too much" : "too long";
    case Judgement::kTooLittle:
      return bytes ? "too little" : "too short";
    case Judgement::kNotMeasured:
      break;
  }
  return "not measured";
}

}  // namespace

Judgement judge(std::optional<double> error, double tolerance) {
  if (!error) return Judgement::kNotMeasured;
  if (std::abs(*error) <= tolerance) return Judgement::kWithin;
  return *error > 0 ? Judgement::kTooMuch : Judgement::kTooLittle;
}

void ErrorTable::set_report(std::shared_ptr<const ValidationReport> report) {
  beginResetModel();
  report_ = std::move(report);
  rows_.clear();
  if (report_ && report_->step) {
    rows_.push_back({report_->step->whole});
    add_times("kinds of operations, per rank", report_->classes);
    add_times("compute stream by phase", report_->phases);
    std::vector<ReportRow> ranks;
    for (std::size_t rank = 0; rank < report_->rank_steps.size(); ++rank) {
      ranks.push_back({fmt::format("rank {}", rank), 0, report_->step->whole.predicted,
                       report_->rank_steps[rank]});
    }
    add_times("step by rank, median", ranks);
  }
  if (report_ && report_->memory) add_memory();
  endResetModel();
}

void ErrorTable::add_heading(const std::string& text) {
  rows_.push_back({{text, 0, 0, 0}, true});
}

void ErrorTable::add_times(const std::string& heading, const std::vector<ReportRow>& rows) {
  if (rows.empty()) return;
  add_heading(heading);
  for (const ReportRow& row : rows) rows_.push_back({row});
}

void ErrorTable::add_memory() {
  const ReportMemory& memory = *report_->memory;
  add_heading("memory at the peak, fullest rank");
  rows_.push_back({memory.peak, false, true});
  for (const ReportRow& row : memory.categories) {
    if (row.predicted == 0 && row.measured == 0) continue;
    rows_.push_back({row, false, true});
    for (char& c : rows_.back().of.name) {
      if (c == '_') c = ' ';
    }
  }
}

double ErrorTable::tolerance() const {
  return report_ && report_->step ? report_->step->tolerance : 0;
}

Judgement ErrorTable::judgement(const Row& row) const {
  if (!row.bytes) return judge(row.of.error(), tolerance());
  if (row.of.predicted == row.of.measured) return Judgement::kWithin;
  return row.of.predicted > row.of.measured ? Judgement::kTooMuch : Judgement::kTooLittle;
}

std::string ErrorTable::text(const Row& row, int column) const {
  if (row.heading) return column == kName ? row.of.name : "";
  const auto value = row.bytes ? bytes_text : time_text;
  switch (column) {
    case kName:
      return row.of.name;
    case kPredicted:
      return value(row.of.predicted);
    case kMeasured:
      return row.of.measured > 0 || row.bytes ? value(row.of.measured) : "-";
    case kError:
      return row.of.error() ? fmt::format("{:+.1f} %", 100 * *row.of.error()) : "";
    default:
      return word(judgement(row), row.bytes);
  }
}

std::string ErrorTable::tip(const Row& row) const {
  if (row.bytes) {
    return fmt::format("{:.0f} B predicted, {:.0f} B measured; memory must be equal",
                       row.of.predicted, row.of.measured);
  }
  const std::string calls =
      row.of.calls > 0 ? fmt::format("{} calls per rank and step; ", row.of.calls) : "";
  return fmt::format(
      "{}{:.9g} s predicted, {:.9g} s measured; error = predicted / measured - 1, ticks at {:.0f} "
      "%",
      calls, row.of.predicted, row.of.measured, 100 * tolerance());
}

int ErrorTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ErrorTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant ErrorTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(text(row, index.column()));
    case Qt::TextAlignmentRole:
      return static_cast<int>(index.column() == kName || index.column() == kWord ? Qt::AlignLeft
                                                                                 : Qt::AlignRight);
    case kErrorRole:
      return row.heading || !row.of.error() ? QVariant() : QVariant(*row.of.error());
    case kJudgementRole:
      return row.heading ? -1 : static_cast<int>(judgement(row));
    case Qt::ToolTipRole:
      return row.heading ? QVariant() : QString::fromStdString(tip(row));
    default:
      return {};
  }
}

QVariant ErrorTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::DisplayRole) return kTitles[static_cast<std::size_t>(section)];
  if (role == Qt::TextAlignmentRole) {
    return static_cast<int>(section == kName ? Qt::AlignLeft : Qt::AlignRight);
  }
  return {};
}

Qt::ItemFlags ErrorTable::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return is_heading(index.row()) ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

std::string ErrorTable::to_tsv() const {
  std::string out = "last step\tpredicted\tmeasured\terror\tverdict\n";
  for (const Row& row : rows_) {
    for (int column = 0; column < kColumns; ++column) {
      out += text(row, column) + (column + 1 < kColumns ? "\t" : "\n");
    }
  }
  return out;
}

}  // namespace heddle::gui
