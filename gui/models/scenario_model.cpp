#include "gui/models/scenario_model.h"

#include <algorithm>
#include <utility>

#include "gui/models/document.h"

namespace heddle::gui {
namespace {

QString text_of(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

constexpr quintptr kSectionId = 0;  // of sections; rows have their section's number + 1

}  // namespace

ScenarioModel::ScenarioModel(Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document) {
  connect(&document_, &Document::run_ended, this, &ScenarioModel::refresh);
  connect(&document_, &Document::edits_changed, this, &ScenarioModel::refresh);
}

ScenarioModel::~ScenarioModel() = default;

/// Equal places keep the view as it is: what is open, chosen and scrolled to.
void ScenarioModel::refresh() {
  std::vector<Section> sections;
  std::unique_ptr<ScenarioRows> rows;
  if (document_.results()) {
    rows = std::make_unique<ScenarioRows>(document_.results()->study.scenario(), document_.text(),
                                          document_.history().edits(), document_.diagnostics());
    for (const ScenarioRow& row : rows->rows()) {
      auto section = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& s) { return s.name == row.section; });
      if (section == sections.end()) section = sections.insert(section, {row.section, {}});
      section->rows.push_back(row);
    }
  }
  const auto same_place = [](const ScenarioRow& a, const ScenarioRow& b) {
    return a.path == b.path;
  };
  const bool same =
      std::equal(sections.begin(), sections.end(), sections_.begin(), sections_.end(),
                 [&](const Section& a, const Section& b) {
                   return a.name == b.name && std::equal(a.rows.begin(), a.rows.end(),
                                                         b.rows.begin(), b.rows.end(), same_place);
                 });
  if (!same) beginResetModel();
  rows_ = std::move(rows);
  sections_ = std::move(sections);
  if (!same) {
    endResetModel();
    return;
  }
  for (int s = 0; s < rowCount(); ++s) {
    const QModelIndex section = index(s, 0);
    Q_EMIT dataChanged(index(0, 0, section), index(rowCount(section) - 1, kOrigin, section));
  }
}

QModelIndex ScenarioModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || row >= rowCount(parent) || column < 0 || column > kOrigin) return {};
  const quintptr id = parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kSectionId;
  return createIndex(row, column, id);
}

QModelIndex ScenarioModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == kSectionId) return {};
  return createIndex(static_cast<int>(child.internalId()) - 1, 0, kSectionId);
}

int ScenarioModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(sections_.size());
  if (parent.internalId() != kSectionId || parent.column() != 0) return 0;
  return static_cast<int>(sections_[static_cast<std::size_t>(parent.row())].rows.size());
}

int ScenarioModel::columnCount(const QModelIndex& /*parent*/) const {
  return kOrigin + 1;
}

const ScenarioRow* ScenarioModel::row_of(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kSectionId) return nullptr;
  return &sections_[index.internalId() - 1].rows[static_cast<std::size_t>(index.row())];
}

QVariant ScenarioModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ScenarioRow* row = row_of(index);
  if (row == nullptr) {
    if (role == kOriginRole) return -1;
    const bool shown = role == Qt::DisplayRole && index.column() == kName;
    return shown ? text_of(sections_[static_cast<std::size_t>(index.row())].name) : QVariant();
  }
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      if (index.column() == kName) return text_of(row->name);
      return index.column() == kValue ? text_of(row->value) : text_of(to_string(row->origin));
    case Qt::ToolTipRole:
      return text_of(row->path + (row->problem.empty() ? "" : "\n" + row->problem));
    case kProblemRole:
      return text_of(row->problem);
    case kOriginRole:
      return static_cast<int>(row->origin);
    default:
      return {};
  }
}

QVariant ScenarioModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return QStringList{"setting", "value", "from"}.value(section);
}

Qt::ItemFlags ScenarioModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (row_of(index) != nullptr && index.column() == kValue) flags |= Qt::ItemIsEditable;
  return flags;
}

bool ScenarioModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const ScenarioRow* row = row_of(index);
  if (row == nullptr || role != Qt::EditRole || index.column() != kValue) return false;
  const std::string text = value.toString().trimmed().toStdString();
  if (text == row->value) return false;
  const auto [path, said] = rows_->edit_for(row->path, text);
  document_.set(path, said);
  return true;
}

bool ScenarioModel::reset(const QModelIndex& index) {
  const ScenarioRow* row = row_of(index);
  if (row == nullptr) return false;
  for (const auto& [path, value] : document_.history().edits()) {
    const bool covers = row->path == path || row->path.starts_with(path + ".");
    if (!covers) continue;
    document_.reset(std::string(path));
    return true;
  }
  return false;
}

QModelIndex ScenarioModel::find(const std::string& path, int column) const {
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    for (std::size_t r = 0; r < sections_[s].rows.size(); ++r) {
      if (sections_[s].rows[r].path != path) continue;
      return index(static_cast<int>(r), column, index(static_cast<int>(s), 0));
    }
  }
  return {};
}

}  // namespace heddle::gui
