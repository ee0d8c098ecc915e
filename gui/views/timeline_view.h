#pragma once
// One case over time: overview, streams, memory and the busiest links on the shared axis.

#include <QWidget>
#include <memory>
#include <vector>

namespace heddle::gui {

class CaseView;
class Legend;
class LanesPlot;
class LinksPlot;
class MemoryPlot;
class OverviewStrip;
class Pick;
class SearchBar;
class TimeAxis;
class TimePlot;
class TimeRuler;

class TimelineView : public QWidget {
 public:
  TimelineView(TimeAxis& axis, Pick& pick, QWidget* parent);

  void set_view(const std::shared_ptr<const CaseView>& view);
  LanesPlot& lanes() { return *lanes_; }
  MemoryPlot& memory() { return *memory_; }
  TimeRuler& ruler() { return *ruler_; }
  SearchBar& search() { return *search_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void share_gutter();
  void share_height();
  void refresh_legends();

  std::shared_ptr<const CaseView> view_;
  Pick& pick_;
  SearchBar* search_;
  OverviewStrip* overview_;
  TimeRuler* ruler_;
  LanesPlot* lanes_;
  MemoryPlot* memory_;
  LinksPlot* links_;
  QWidget* lane_box_ = nullptr;
  Legend* lane_legend_;
  Legend* memory_legend_;
};

}  // namespace heddle::gui
