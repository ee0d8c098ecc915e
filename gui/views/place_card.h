#pragma once
// One placement as a picture: the GPUs of every machine in order, those of the job with their
// ranks.

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace heddle::gui {

struct PlaceCardContent {
  QString title;           // "A", "chosen"
  QStringList lines;       // below the picture
  QColor line_color = {};  // of the last line; the text's own if invalid
  std::vector<run::GpuPlace> machine;
  std::vector<run::GpuPlace> job;  // in the order of ranks
  std::vector<run::GpuPlace> busy;
};

class PlaceCard : public QWidget {
 public:
  explicit PlaceCard(QWidget* parent);
  /// Nothing: an invitation to choose.
  void set_content(std::optional<PlaceCardContent> content, const QString& invitation = {});
  QSize sizeHint() const override { return {260, 240}; }
  QSize minimumSizeHint() const override { return {150, 150}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double paint_machine(QPainter& painter, const std::vector<run::GpuPlace>& gpus, double top,
                       double side) const;

  std::optional<PlaceCardContent> content_;
  QString invitation_;
};

}  // namespace heddle::gui
