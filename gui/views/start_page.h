#pragma once
// Before a file is open: changes that a crash left, the examples in one click, and where to drop a
// file.

#include <QStringList>
#include <QWidget>
#include <string>
#include <vector>

#include "gui/models/edit_journal.h"

namespace heddle::gui {

struct Example {
  std::string file;
  std::string name;
  std::string description;
};
/// The scenarios of a folder that parse far enough to have a name, sorted; behind them the
/// measurements in its folder "measured".
std::vector<Example> find_examples(const std::string& folder);

class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(const std::vector<Example>& examples, const QStringList& recent,
            const std::vector<LostEdits>& lost, QWidget* parent);

 Q_SIGNALS:
  void chosen(const QString& file);
  void restored(const heddle::gui::LostEdits& lost);
  void browse();

 private:
  QWidget* lost_row(const LostEdits& lost);
};

}  // namespace heddle::gui
