#include "gui/views/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <utility>

#include "gui/models/op_search.h"

namespace heddle::gui {

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit(this)), count_(new QLabel(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 8, 6);
  row->setSpacing(8);
  text_->setPlaceholderText("Find operations: q_proj, backward layer 3, all-gather");
  text_->setAccessibleName("Find operations");
  auto* previous = new QPushButton("Previous", this);
  auto* next = new QPushButton("Next", this);
  auto* close = new QPushButton("Close", this);
  count_->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(text_, 1);
  row->addWidget(count_);
  for (QPushButton* button : {previous, next, close}) row->addWidget(button);
  connect(text_, &QLineEdit::textChanged, this, &SearchBar::search);
  connect(text_, &QLineEdit::returnPressed, this, [this] { step(true); });
  connect(previous, &QPushButton::clicked, this, [this] { step(false); });
  connect(next, &QPushButton::clicked, this, [this] { step(true); });
  connect(close, &QPushButton::clicked, this, &QWidget::hide);
  hide();
}

SearchBar::~SearchBar() = default;

void SearchBar::set_lanes(std::shared_ptr<const LaneSet> lanes) {
  lanes_ = std::move(lanes);
  search();
}

void SearchBar::begin() {
  show();
  text_->setFocus();
  text_->selectAll();
}

void SearchBar::find(const QString& text) {
  text_->setText(text);
}

void SearchBar::search() {
  search_.reset();
  count_->clear();
  if (!lanes_ || text_->text().trimmed().isEmpty()) return;
  search_ = std::make_unique<OpSearch>(*lanes_, text_->text().toStdString());
  count_->setText(search_->found().empty() ? "not found"
                                           : QString("%1 found").arg(search_->found().size()));
}

void SearchBar::step(bool forward) {
  const auto at = search_ ? search_->next(from_, forward) : std::nullopt;
  if (!at) return;
  const LaneMark& mark = search_->found()[*at];
  from_ = static_cast<double>(mark.box.start);
  count_->setText(QString("%1 of %2").arg(*at + 1).arg(search_->found().size()));
  Q_EMIT found(mark);
}

void SearchBar::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->key() == Qt::Key_Escape) {
    hide();
  } else if (enter && event->modifiers().testFlag(Qt::ShiftModifier)) {
    step(false);
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace heddle::gui
