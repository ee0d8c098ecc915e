#pragma once
// A report over time on one axis: predicted lanes above measured ones, how far they are apart, and
// memory.

#include <QWidget>
#include <memory>

namespace heddle::gui {

class LanesPlot;
class LeadPlot;
class Legend;
class MeasuredOverlay;
class MemoryOverlayPlot;
class TimeAxis;
class TimeRuler;

class MeasuredPlots : public QWidget {
 public:
  explicit MeasuredPlots(QWidget* parent);

  /// Null: nothing to show.
  void set_overlay(const std::shared_ptr<const MeasuredOverlay>& overlay);
  TimeAxis& axis() { return *axis_; }
  LanesPlot& lanes() { return *lanes_; }
  LeadPlot& lead() { return *lead_; }
  MemoryOverlayPlot& memory() { return *memory_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void share_gutter();
  void refresh_legend();

  TimeAxis* axis_;
  TimeRuler* ruler_;
  Legend* legend_;
  LanesPlot* lanes_;
  LeadPlot* lead_;
  MemoryOverlayPlot* memory_;
  Legend* memory_legend_;
  std::shared_ptr<const MeasuredOverlay> overlay_;
};

}  // namespace heddle::gui
