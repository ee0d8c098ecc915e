#include "gui/views/heat_map.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <limits>
#include <utility>

#include "gui/models/sweep_answer.h"
#include "gui/views/hatch.h"
#include "gui/views/theme.h"
#include "gui/views/tool_tip.h"

namespace heddle::gui {
namespace {

constexpr int kTop = 46;  // the title and the scale
constexpr int kRight = 14;

QString text(const std::string& s) {
  return QString::fromStdString(s);
}

/// The last word of a path, which the title has whole.
QString short_name(const std::string& path) {
  return text(path.substr(path.rfind('.') + 1));
}

}  // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Heat map");
  setMinimumSize(220, 160);
  setMouseTracking(true);
}

void HeatMap::set_answer(const SweepAnswer* answer, SweepChoice choice) {
  answer_ = answer;
  choice_ = std::move(choice);
  if (answer_ == nullptr || at_ >= answer_->grid().size()) at_ = 0;
  find_range();
  update();
}

std::size_t HeatMap::columns() const {
  return answer_->grid().axes().back().values.size();
}

std::size_t HeatMap::rows() const {
  const auto& axes = answer_->grid().axes();
  return axes.size() < 2 ? 1 : axes.front().values.size();
}

void HeatMap::find_range() {
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  if (answer_ == nullptr) return;
  for (std::size_t p = 0; p < answer_->points_done(); ++p) {
    const SweepCell cell = answer_->cell(p, choice_.case_id, choice_.column);
    if (!cell.value) continue;
    low_ = std::min(low_, *cell.value);
    high_ = std::max(high_, *cell.value);
  }
}

QRectF HeatMap::plot_rect() const {
  const QFontMetrics metrics(ui_font());
  int widest = 0;
  const auto& axes = answer_->grid().axes();
  if (axes.size() > 1) {
    widest = metrics.horizontalAdvance(short_name(axes.front().path));
    for (const std::string& value : axes.front().values) {
      widest = std::max(widest, metrics.horizontalAdvance(text(value)));
    }
  }
  const double left = widest + 24.0;
  const double bottom = 2.0 * metrics.height() + 18;
  return {left, kTop, std::max(10.0, width() - left - kRight),
          std::max(10.0, height() - kTop - bottom)};
}

QRectF HeatMap::cell_rect(std::size_t point) const {
  const QRectF plot = plot_rect();
  const double wide = plot.width() / static_cast<double>(columns());
  const double high = plot.height() / static_cast<double>(rows());
  const auto column = static_cast<double>(point % columns());
  // Larger values of the first setting are higher up, as on any axis.
  const std::size_t above = rows() - 1 - point / columns();
  const auto row = static_cast<double>(above);
  return {plot.x() + column * wide, plot.y() + row * high, wide, high};
}

std::optional<std::size_t> HeatMap::point_at(const QPointF& at) const {
  if (answer_ == nullptr || !plot_rect().contains(at)) return std::nullopt;
  const QRectF plot = plot_rect();
  const auto share = [](double x, double length, std::size_t count) {
    const auto i = static_cast<std::size_t>(x / length * static_cast<double>(count));
    return std::min(i, count - 1);
  };
  const std::size_t column = share(at.x() - plot.x(), plot.width(), columns());
  const std::size_t row = rows() - 1 - share(at.y() - plot.y(), plot.height(), rows());
  return row * columns() + column;
}

QColor HeatMap::color_of(double value) const {
  const double share = high_ > low_ ? (value - low_) / (high_ - low_) : 0;
  const bool more = answer_->columns()[choice_.column].better == sweep::Better::kMore;
  return theme().load(std::clamp(more ? 1 - share : share, 0.001, 1.0));
}

/// "411 ms", and a second line where the figure alone would mislead.
QString HeatMap::cell_text(std::size_t point) const {
  if (point >= answer_->points_done()) return {};
  const SweepCell cell = answer_->cell(point, choice_.case_id, choice_.column);
  const bool best = choice_.case_id == kBestCase;
  QString trouble = text(cell.trouble);
  trouble.replace(" of ", "\nof ").replace(": ", ",\n");  // cells are rather high than wide
  if (!cell.value && best && cell.needed > 0) return "none fits\n" + trouble;
  if (!cell.value) return "refused";
  if (!cell.fits) return text(cell.text) + "\n" + trouble;
  return text(best ? cell.text + "\n" + cell.case_id : cell.text);
}

void HeatMap::paint_cell(QPainter& painter, std::size_t point) const {
  const QRectF place = cell_rect(point).adjusted(1, 1, -1, -1);
  const SweepCell cell = answer_->cell(point, choice_.case_id, choice_.column);
  painter.fillRect(place, cell.value ? color_of(*cell.value) : theme().window);
  const bool done = point < answer_->points_done();
  if (done && !cell.fits) {
    QColor stripes = cell.value ? theme().panel : theme().bad;
    stripes.setAlphaF(cell.value ? 1.0F : 0.35F);
    fill_hatch(painter, place, stripes, 9);
  }
  painter.setFont(ui_font());
  const auto size_of = [&](const QString& said) {
    return QRectF(painter.fontMetrics().boundingRect(QRect(0, 0, 4000, 4000),
                                                     static_cast<int>(Qt::AlignCenter), said));
  };
  QString said = cell_text(point);
  const auto has_room = [&] {
    return size_of(said).width() < place.width() - 6 && size_of(said).height() < place.height();
  };
  if (!has_room()) said = said.section('\n', 0, 0);
  if (said.isEmpty() || !has_room()) return;
  if (!cell.fits) {  // words on stripes need a ground
    QRectF ground = size_of(said).adjusted(-5, -1, 5, 1);
    ground.moveCenter(place.center());
    painter.fillRect(ground, theme().panel);
  }
  painter.setPen(cell.fits ? text_on(color_of(*cell.value)) : theme().bad);
  painter.drawText(place, Qt::AlignCenter, said);
}

std::vector<HeatMap::Label> HeatMap::labels() const {
  std::vector<Label> out;
  const QFontMetrics metrics(ui_font());
  const auto& axes = answer_->grid().axes();
  const QRectF plot = plot_rect();
  const auto add = [&](const QRectF& box, const std::string& said, Qt::Alignment alignment) {
    if (!out.empty() && out.back().box.adjusted(-4, -1, 4, 1).intersects(box)) return;
    out.push_back({box, text(said), alignment});
  };
  for (std::size_t column = 0; column < columns(); ++column) {
    const std::string& value = axes.back().values[column];
    const double wide = metrics.horizontalAdvance(text(value)) + 2.0;
    add(QRectF(cell_rect(column).center().x() - wide / 2, plot.bottom() + 5, wide,
               metrics.height()),
        value, Qt::AlignCenter);
  }
  for (std::size_t row = 0; axes.size() > 1 && row < rows(); ++row) {
    const QRectF cell = cell_rect(row * columns());
    const std::string& value = axes.front().values[row];
    const double wide = metrics.horizontalAdvance(text(value)) + 2.0;
    add(QRectF(plot.x() - wide - 8, cell.center().y() - metrics.height() / 2.0, wide,
               metrics.height()),
        value, Qt::AlignRight | Qt::AlignVCenter);
  }
  return out;
}

std::vector<QRectF> HeatMap::label_boxes() const {
  std::vector<QRectF> out;
  for (const Label& label : labels()) out.push_back(label.box);
  return out;
}

void HeatMap::paint_labels(QPainter& painter) const {
  const auto& axes = answer_->grid().axes();
  painter.setFont(ui_font());
  painter.setPen(theme().text);
  for (const Label& label : labels()) {
    painter.drawText(label.box, static_cast<int>(label.alignment) | Qt::TextDontClip, label.text);
  }
  const QRectF plot = plot_rect();
  painter.setPen(theme().muted);
  painter.drawText(QRectF(plot.x(), height() - painter.fontMetrics().height() - 5.0, plot.width(),
                          painter.fontMetrics().height()),
                   Qt::AlignCenter, text(axes.back().path));
  if (axes.size() < 2) return;
  painter.drawText(QRectF(8, kTop - painter.fontMetrics().height() - 4.0, plot.x() + 200,
                          painter.fontMetrics().height()),
                   Qt::AlignLeft, short_name(axes.front().path));
}

/// Colder is better; numbers at both ends say which way that is.
void HeatMap::paint_scale(QPainter& painter) const {
  painter.setFont(ui_font(0, true));
  painter.setPen(theme().text);
  const QString title = text(answer_->title(choice_.column)) + ", " + text(choice_.case_id);
  painter.drawText(QRect(8, 6, width() - 330, 20), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(title, Qt::ElideRight, width() - 340));
  if (!(high_ >= low_)) return;
  const sweep::Column& column = answer_->columns()[choice_.column];
  const bool more = column.better == sweep::Better::kMore;
  const QRect scale(width() - 214, 9, 120, 9);
  for (int x = 0; x < scale.width(); ++x) {
    painter.fillRect(QRect(scale.x() + x, scale.y(), 1, scale.height()),
                     theme().load((x + 0.5) / scale.width()));
  }
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  const QString best = text(figure_text(column, more ? high_ : low_));
  const QString worst = text(figure_text(column, more ? low_ : high_));
  painter.drawText(QRect(scale.x() - 108, 4, 100, 20), Qt::AlignRight | Qt::AlignVCenter, best);
  painter.drawText(QRect(scale.right() + 8, 4, 84, 20), Qt::AlignLeft | Qt::AlignVCenter, worst);
}

void HeatMap::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (answer_ == nullptr) return;
  for (std::size_t p = 0; p < answer_->grid().size(); ++p) paint_cell(painter, p);
  paint_labels(painter);
  paint_scale(painter);
  if (!hasFocus()) return;
  painter.setPen(QPen(theme().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(cell_rect(at_));
}

QString HeatMap::words(std::size_t point) const {
  QStringList where;
  for (const auto& [path, value] : answer_->grid().at(point)) {
    where << text(path) + " = " + text(value);
  }
  const SweepCell cell = answer_->cell(point, choice_.case_id, choice_.column);
  QString said = where.join(", ") + "\n";
  if (point >= answer_->points_done()) return said + "not run yet";
  if (cell.value) {
    said +=
        text(answer_->title(choice_.column)) + " " + text(cell.text) + ", " + text(cell.case_id);
  }
  if (!cell.trouble.empty()) said += (cell.value ? "\n" : "") + text(cell.trouble);
  return said + (cell.trouble.empty() ? "\nfits; click to open it" : "\nclick to open it");
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
  const auto point = point_at(event->position());
  if (!point || event->button() != Qt::LeftButton) return;
  at_ = *point;
  update();
  Q_EMIT opened(*point);
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
  if (answer_ == nullptr) return QWidget::keyPressEvent(event);
  std::size_t column = at_ % columns();
  std::size_t row = at_ / columns();
  switch (event->key()) {
    case Qt::Key_Left:
      column -= column > 0 ? 1 : 0;
      break;
    case Qt::Key_Right:
      column += column + 1 < columns() ? 1 : 0;
      break;
    case Qt::Key_Down:
      row -= row > 0 ? 1 : 0;
      break;
    case Qt::Key_Up:
      row += row + 1 < rows() ? 1 : 0;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT opened(at_);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
  at_ = row * columns() + column;
  update();
}

bool HeatMap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || answer_ == nullptr) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto point = point_at(help->pos());
  show_tip(*help, point ? words(*point) : QString(), *this);
  return true;
}

}  // namespace heddle::gui
