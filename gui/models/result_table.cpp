#include "gui/models/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gui/models/comparison.h"
#include "sim/base/units_text.h"
#include "sim/cli/run_table.h"
#include "sim/cli/wire_text.h"

namespace heddle::gui {
namespace {

std::string memory_tip(const run::MemoryReport& memory) {
  std::string text = fmt::format(
      "peak allocated {} ({})\npeak reserved {} ({})\nCUDA context {}, NCCL {}\nheadroom {}\n"
      "needed {} of {}",
      format_bytes(memory.peak_allocated), format_bytes_binary(memory.peak_allocated),
      format_bytes(memory.peak_reserved), format_bytes_binary(memory.peak_reserved),
      format_bytes(memory.context), format_bytes(memory.nccl), format_bytes(memory.headroom),
      format_bytes(memory.needed()), format_bytes(memory.capacity));
  text += fmt::format("\npeak at: {}", run::moment_text(memory.peak_at));
  if (!memory.fits()) text += '\n' + fit_reason(memory);
  return text;
}

std::string time_tip(const run::CaseResult& result) {
  std::string text = fmt::format("step {}", format_duration(result.step_time));
  const StepParts parts = step_parts(result);
  for (std::size_t p = 0; p < kStepPartCount; ++p) {
    if (parts[p].ps == 0) continue;
    text += fmt::format("\n{} {}", to_string(static_cast<StepPart>(p)), format_duration(parts[p]));
  }
  return text;
}

}  // namespace

std::string fit_reason(const run::MemoryReport& memory) {
  if (memory.fits()) return "";
  if (!memory.out_of_memory.empty()) return "out of memory in " + memory.out_of_memory;
  if (memory.verdict == run::Verdict::kDoesNotFit) {
    return fmt::format("at least {} of {} usable", format_bytes(memory.low),
                       format_bytes(memory.usable));
  }
  return fmt::format("too close to call: up to {} of {} usable", format_bytes(memory.high),
                     format_bytes(memory.usable));
}

void ResultTable::set_results(ResultsPtr results, const ResultsPtr& pinned) {
  beginResetModel();
  results_ = std::move(results);
  pinned_ = pinned;
  rows_.clear();
  titles_.clear();
  units_.clear();
  longest_ = {};
  most_ = {};
  if (results_) {
    add_titles();
    add_cases();
  }
  endResetModel();
}

void ResultTable::add_titles() {
  for (const cli::Column& column : cli::result_columns(results_->study)) {
    titles_.push_back(column.title);
    units_.push_back(column.unit);
    if (titles_.size() > 1) continue;
    titles_.insert(titles_.end(), {"step time", "memory needed"});  // after the strategy
    units_.insert(units_.end(), {"ms", "GB"});
    if (!pinned_) continue;
    titles_.insert(titles_.end(), {"step - A", "needed - A"});
    units_.insert(units_.end(), {"ms", "GB"});
  }
}

void ResultTable::add_cases() {
  const auto& cases = results_->study.cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i == 0 || cases[i].fabric != cases[i - 1].fabric) add_group(cases[i]);
    rows_.push_back({i, cells_of(i), ""});
    const run::CaseResult* before = pinned_of(i);
    for (const run::CaseResult* result : {&results_->cases[i], before}) {
      if (result == nullptr) continue;
      longest_ = std::max(longest_, result->step_time);
      most_ = std::max({most_, result->memory.needed(), result->memory.capacity});
    }
  }
}

std::vector<std::string> ResultTable::cells_of(std::size_t index) const {
  const run::CaseResult& result = results_->cases[index];
  std::vector<std::string> cells = cli::result_row(results_->study, result);
  // Two entries may be of one strategy; the id tells them apart.
  cells.front() = results_->study.scenario().strategies[results_->study.cases()[index].strategy].id;
  std::vector<std::string> more(kMemoryBar, "");
  if (pinned_) {
    const run::CaseResult* before = pinned_of(index);
    more.resize(more.size() + 2, "new");
    if (before != nullptr) {
      const Duration step = result.step_time - before->step_time;
      const Bytes needed = result.memory.needed() - before->memory.needed();
      more[kMemoryBar] = signed_text(step.seconds() * 1e3);
      more[kMemoryBar + 1] = signed_text(static_cast<double>(needed.value) * 1e-9);
    }
  }
  cells.insert(cells.begin() + kTimeBar, more.begin(), more.end());
  return cells;
}

const run::CaseResult* ResultTable::pinned_of(std::size_t case_index) const {
  if (!pinned_) return nullptr;
  for (const run::CaseResult& result : pinned_->cases) {
    if (result.case_id == results_->cases[case_index].case_id) return &result;
  }
  return nullptr;
}

void ResultTable::add_group(const run::CaseId& id) {
  const run::Study& study = results_->study;
  const run::FabricChoice& choice = study.scenario().fabrics[id.fabric];
  rows_.push_back({std::nullopt,
                   {fmt::format("{}: {}", choice.id, cli::machine_text(study, id))},
                   cli::wire_text(study.fabric(id), study.members(id), choice.comm)});
}

int ResultTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ResultTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(titles_.size());
}

std::optional<std::size_t> ResultTable::case_of(int row) const {
  if (row < 0 || row >= rowCount()) return std::nullopt;
  return rows_[static_cast<std::size_t>(row)].result;
}

std::optional<int> ResultTable::row_of(std::size_t case_index) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (case_of(row) == case_index) return row;
  }
  return std::nullopt;
}

int ResultTable::column_of(const std::string& title) const {
  const auto found = std::find(titles_.begin(), titles_.end(), title);
  return found == titles_.end() ? -1 : static_cast<int>(found - titles_.begin());
}

QVariant ResultTable::tool_tip(const QModelIndex& index) const {
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (!row.result) return QString::fromStdString(row.note);
  const run::CaseResult& result = results_->cases[*row.result];
  const bool memory = index.column() >= kMemoryBar && index.column() < column_of("step");
  return QString::fromStdString(memory ? memory_tip(result.memory) : time_tip(result));
}

QVariant ResultTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const auto column = static_cast<std::size_t>(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return column < row.cells.size() ? QString::fromStdString(row.cells[column]) : QString();
    case Qt::ToolTipRole:
      return tool_tip(index);
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::AccessibleTextRole:
      if (index.column() == kTimeBar || index.column() == kMemoryBar) return tool_tip(index);
      return data(index, Qt::DisplayRole);
    default:
      return {};
  }
}

QVariant ResultTable::headerData(int section, Qt::Orientation orientation, int role) const {
  const auto column = static_cast<std::size_t>(section);
  if (orientation != Qt::Horizontal || column >= titles_.size()) return {};
  if (role == Qt::DisplayRole) {
    return QString::fromStdString(units_[column].empty() ? titles_[column]
                                                         : titles_[column] + '\n' + units_[column]);
  }
  if (role == Qt::TextAlignmentRole) {
    const bool left = column <= kMemoryBar || column + 1 == titles_.size();
    return QVariant::fromValue((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  return {};
}

Qt::ItemFlags ResultTable::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  if (is_group(index.row())) return Qt::ItemIsEnabled;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

std::string ResultTable::to_tsv() const {
  std::string text;
  const auto line = [&text](const auto& cell, std::size_t count) {
    bool first = true;
    for (std::size_t c = 0; c < count; ++c) {
      if (c == kTimeBar || c == kMemoryBar) continue;
      text += (first ? "" : "\t") + cell(c);
      first = false;
    }
    text += '\n';
  };
  line(
      [&](std::size_t c) {
        return units_[c].empty() ? titles_[c] : titles_[c] + " (" + units_[c] + ")";
      },
      titles_.size());
  for (const Row& row : rows_) line([&](std::size_t c) { return row.cells[c]; }, row.cells.size());
  return text;
}

}  // namespace heddle::gui
