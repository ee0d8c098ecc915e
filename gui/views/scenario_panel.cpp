#include "gui/views/scenario_panel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/models/document.h"
#include "gui/models/scenario_model.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

/// Sections as titles, changed values in the accent colour, faulty ones in red.
class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const int origin = index.data(ScenarioModel::kOriginRole).toInt();
    option->font = ui_font(0, origin < 0);
    QColor color = theme().text;
    if (origin >= 0 && index.column() != ScenarioModel::kValue) color = theme().muted;
    if (origin == static_cast<int>(Origin::kDefault) && index.column() == ScenarioModel::kValue) {
      color = theme().muted;
    }
    if (origin == static_cast<int>(Origin::kChanged) && index.column() != ScenarioModel::kName) {
      color = theme().accent;
      option->font = ui_font(0, true);
    }
    if (!index.data(ScenarioModel::kProblemRole).toString().isEmpty()) color = theme().bad;
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
    if (index.column() == ScenarioModel::kOrigin) option->font = ui_font(-1);
    option->textElideMode = Qt::ElideRight;
  }
};

}  // namespace

ScenarioPanel::ScenarioPanel(Document& document, QWidget* parent)
    : QWidget(parent),
      model_(new ScenarioModel(document, this)),
      filter_(new QSortFilterProxyModel(this)),
      search_(new QLineEdit(this)),
      tree_(new QTreeView(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* top = new QWidget(this);
  auto* row = new QVBoxLayout(top);
  row->setContentsMargins(8, 8, 8, 8);
  row->addWidget(search_);
  column->addWidget(top);
  column->addWidget(tree_, 1);
  search_->setPlaceholderText("Search settings");
  search_->setAccessibleName("Search settings");
  search_->setClearButtonEnabled(true);
  filter_->setSourceModel(model_);
  filter_->setRecursiveFilteringEnabled(true);
  filter_->setFilterKeyColumn(-1);
  filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  tree_->setModel(filter_);
  tree_->setItemDelegate(new RowDelegate(tree_));
  tree_->setAccessibleName("Scenario");
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(12);
  tree_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                         QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(ScenarioModel::kName, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(ScenarioModel::kValue, QHeaderView::Interactive);
  tree_->header()->setSectionResizeMode(ScenarioModel::kOrigin, QHeaderView::ResizeToContents);
  tree_->setColumnWidth(ScenarioModel::kValue, 88);
  tree_->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* reset = new QAction("Reset to the file", tree_);
  reset->setShortcut(QKeySequence::Delete);
  reset->setShortcutContext(Qt::WidgetShortcut);
  tree_->addAction(reset);
  connect(reset, &QAction::triggered, this, &ScenarioPanel::reset_current);
  connect(search_, &QLineEdit::textChanged, this, &ScenarioPanel::search);
  connect(model_, &QAbstractItemModel::modelReset, this, &ScenarioPanel::open_sections);
}

void ScenarioPanel::reset_current() {
  model_->reset(filter_->mapToSource(tree_->currentIndex()));
}

/// What people come to change is open, the long lists of options are not.
void ScenarioPanel::open_sections() {
  for (int row = 0; row < filter_->rowCount(); ++row) {
    const QModelIndex section = filter_->index(row, 0);
    tree_->setFirstColumnSpanned(row, {}, true);
    const QString name = section.data().toString();
    tree_->setExpanded(section, !name.startsWith("strategy") && name != "model");
  }
}

void ScenarioPanel::search(const QString& text) {
  filter_->setFilterFixedString(text);
  if (text.isEmpty()) {
    open_sections();
  } else {
    tree_->expandAll();
  }
}

}  // namespace heddle::gui
