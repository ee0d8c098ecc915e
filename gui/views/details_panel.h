#pragma once
// What is at the time cursor: the running ops, memory by layer, who is alive; and what a selection
// of time adds up to.

#include <QScrollArea>
#include <memory>
#include <vector>

namespace heddle::gui {

class CaseView;
class FactList;
class Pick;
class TimeAxis;
struct Fact;

class DetailsPanel : public QScrollArea {
 public:
  DetailsPanel(TimeAxis& axis, const Pick& pick, QWidget* parent);
  void set_view(std::shared_ptr<const CaseView> view);
  const FactList& facts() const { return *list_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void add_case(std::vector<Fact>& facts) const;
  void add_selection(std::vector<Fact>& facts) const;
  void add_moment(std::vector<Fact>& facts) const;

  TimeAxis& axis_;
  const Pick& pick_;
  std::shared_ptr<const CaseView> view_;
  FactList* list_;
};

}  // namespace heddle::gui
