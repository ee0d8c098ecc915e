#pragma once
// The strategies of one fabric beside each other: memory over the whole run, one scale, one
// capacity line, so that the steps from DDP to FSDP are seen. A click chooses the case.

#include <QWidget>
#include <memory>
#include <vector>

class QHBoxLayout;

#include "gui/models/results.h"

namespace heddle::gui {

class CaseView;
class Document;
class Legend;
class MemoryPlot;
class TimeAxis;

class MemoryView : public QWidget {
 public:
  MemoryView(Document& document, QWidget* parent);

  const std::vector<MemoryPlot*>& plots() const { return plots_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show_results();
  void add_column(std::size_t index, bool first);
  void refresh_legend();

  Document& document_;
  Legend* legend_;
  QWidget* grid_ = nullptr;
  QHBoxLayout* columns_;
  ResultsPtr shown_;
  std::vector<std::shared_ptr<const CaseView>> views_;
  std::vector<MemoryPlot*> plots_;
};

}  // namespace heddle::gui
