#include "gui/views/strategies_view.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/document.h"
#include "gui/models/result_table.h"
#include "gui/views/bars_delegate.h"
#include "gui/views/legend.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

QTableView* make_list(ResultTable* table, QWidget* parent) {
  auto* list = new QTableView(parent);
  list->setModel(table);
  list->setItemDelegate(new BarsDelegate(*table, list));
  list->setSelectionBehavior(QAbstractItemView::SelectRows);
  list->setSelectionMode(QAbstractItemView::SingleSelection);
  list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list->setTabKeyNavigation(false);
  list->setShowGrid(false);
  list->setWordWrap(false);
  list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  list->verticalHeader()->hide();
  list->verticalHeader()->setMinimumSectionSize(8);  // the delegate decides
  list->horizontalHeader()->setHighlightSections(false);
  list->setAccessibleName("Strategies");
  return list;
}

}  // namespace

StrategiesView::StrategiesView(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      table_(new ResultTable(this)),
      list_(make_list(table_, this)),
      legend_(new Legend(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(legend_);
  column->addWidget(list_, 1);
  connect(&document_, &Document::results_changed, this, &StrategiesView::show_results);
  connect(&document_, &Document::opened, this, &StrategiesView::show_results);
  connect(&document_, &Document::chosen_changed, this, [this] {
    if (const auto row = table_->row_of(document_.chosen())) list_->selectRow(*row);
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (const auto index = table_->case_of(now.row())) document_.choose(*index);
          });
  connect(list_, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (table_->case_of(index.row())) Q_EMIT activated();
  });
  auto* copying = new QShortcut(QKeySequence::Copy, list_);
  copying->setContext(Qt::WidgetShortcut);
  connect(copying, &QShortcut::activated, this, &StrategiesView::copy);
  refresh_legend();
}

void StrategiesView::show_results() {
  table_->set_results(document_.results(), document_.pinned());
  list_->clearSpans();
  for (int row = 0; row < table_->rowCount(); ++row) {
    if (table_->is_group(row)) list_->setSpan(row, 0, 1, table_->columnCount());
    list_->setRowHeight(row, BarsDelegate::row_height(*table_, row));
  }
  fit_columns();
  refresh_legend();
  if (const auto row = table_->row_of(document_.chosen())) list_->selectRow(*row);
}

/// Text columns take what they need, the two bars share the rest.
void StrategiesView::fit_columns() {
  const int columns = table_->columnCount();
  if (columns == 0) return;
  const QFontMetrics metrics(ui_font(0, true));
  int left = list_->viewport()->width();
  for (int c = 0; c < columns; ++c) {
    if (c == ResultTable::kTimeBar || c == ResultTable::kMemoryBar) continue;
    int wide = 0;
    const QString title = table_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const QString& line : title.split('\n')) {
      wide = std::max(wide, metrics.horizontalAdvance(line));
    }
    for (int row = 0; row < table_->rowCount(); ++row) {
      if (table_->is_group(row)) continue;
      wide = std::max(wide, metrics.horizontalAdvance(table_->index(row, c).data().toString()));
    }
    wide += c == 0 ? 26 : 16;
    list_->setColumnWidth(c, wide);
    left -= wide;
  }
  constexpr int kLeastBar = 110;
  list_->setColumnWidth(ResultTable::kTimeBar, std::max(kLeastBar, left * 11 / 20));
  list_->setColumnWidth(ResultTable::kMemoryBar, std::max(kLeastBar, left - left * 11 / 20));
}

void StrategiesView::copy() {
  QApplication::clipboard()->setText(QString::fromStdString(table_->to_tsv()));
}

void StrategiesView::refresh_legend() {
  std::vector<LegendEntry> entries;
  for (std::size_t p = 0; p < kStepPartCount; ++p) {
    const auto name = to_string(static_cast<StepPart>(p));
    entries.push_back(
        {theme().parts[p], QString::fromUtf8(name.data(), static_cast<int>(name.size()))});
  }
  entries.push_back({theme().bad, "does not fit", true});
  if (document_.pinned()) entries.push_back({theme().text, "A, pinned"});
  legend_->set_entries(std::move(entries));
}

void StrategiesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) refresh_legend();
  if (event->type() == QEvent::FontChange) fit_columns();
  QWidget::changeEvent(event);
}

void StrategiesView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_columns();
}

}  // namespace heddle::gui
