#include "gui/views/shortcut_sheet.h"

#include <QGridLayout>
#include <QLabel>
#include <utility>

#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

using Line = std::pair<QString, QString>;

const std::vector<Line>& plot_keys() {
  static const std::vector<Line> kKeys{
      {"Wheel, Ctrl+wheel", "zoom at the pointer; Alt fine, Shift fast"},
      {"W S A D, arrows", "zoom and pan"},
      {"Shift+wheel, middle drag", "pan"},
      {"Drag", "select a time; Esc clears"},
      {"Z", "zoom to the selection"},
      {"Double-click", "zoom to an operation"},
      {". and ,", "next and previous operation"},
      {"Home, End", "whole run, last step"},
      {"Backspace", "previous view"},
      {"Click", "follow an operation to its peers, links and buffers"},
      {"P, H, Shift+H", "pin a lane, hide it, show all; drag its name to move it"},
      {"Ctrl+Up, Ctrl+Down", "the lane above, the lane below"},
      {"K, O", "peak of memory, out of memory"},
      {"E", "fabric: collapse or expand machines"},
      {"Drag a rank", "fabric: run it on another GPU"},
      {"Right click", "fabric: take a link down or slow it"},
      {"Delete", "scenario: a setting back to the file's"},
  };
  return kKeys;
}

void add_column(QGridLayout& grid, int at, const QString& title, const std::vector<Line>& lines) {
  auto* heading = new QLabel(title);
  heading->setFont(ui_font(1, true));
  grid.addWidget(heading, 0, at, 1, 2);
  int row = 1;
  for (const auto& [keys, what] : lines) {
    auto* left = new QLabel(keys);
    left->setFont(ui_font(0, true));
    grid.addWidget(left, row, at);
    grid.addWidget(new QLabel(what), row++, at + 1);
  }
}

}  // namespace

ShortcutSheet::ShortcutSheet(const std::vector<ActionSpec>& actions, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle("Keys");
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(24, 20, 24, 24);
  grid->setHorizontalSpacing(18);
  grid->setVerticalSpacing(5);
  std::vector<Line> menus;
  for (const ActionSpec& spec : actions) {
    if (!spec.keys.isEmpty())
      menus.emplace_back(spec.keys.toString(QKeySequence::NativeText), spec.text);
  }
  add_column(*grid, 0, "Menus", menus);
  grid->setColumnMinimumWidth(2, 24);
  add_column(*grid, 3, "Plots", plot_keys());
}

}  // namespace heddle::gui
