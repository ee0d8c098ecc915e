#include "gui/views/window_actions.h"

#include <QApplication>
#include <QClipboard>

#include "gui/models/document.h"
#include "gui/views/main_window.h"

namespace heddle::gui {
namespace {

using Specs = std::vector<ActionSpec>;

Specs file_actions(MainWindow& w) {
  return {
      {"File", "Open...", "Open a scenario, a measurement or a machine", QKeySequence::Open,
       [&w] { w.browse(); }, "open"},
      {"File", "Save as...", "Write the scenario as it is now, every default spelt out",
       QKeySequence("Ctrl+S"), [&w] { w.save_as(); }, "save"},
      {"File", "Export...", "Write this view as a picture, or the answer as a file",
       QKeySequence("Ctrl+E"), [&w] { w.export_view(); }, "export"},
      {"File", "", "", {}, {}},
      {"File", "Quit", "Close the window", QKeySequence::Quit, [&w] { w.close(); }, "quit"},
  };
}

Specs edit_actions(MainWindow& w, Document& d) {
  const auto copy = [&d] {
    QApplication::clipboard()->setText(QString::fromStdString(d.command_line()));
  };
  return {
      {"Edit", "Undo", "Take the last change back", QKeySequence::Undo, [&d] { d.undo(); }, "undo"},
      {"Edit", "Redo", "Make the change again that was taken back", QKeySequence("Ctrl+Shift+Z"),
       [&d] { d.redo(); }, "redo"},
      {"Edit", "", "", {}, {}},
      {"Edit", "Copy as command", "Copy the command that prints what is shown",
       QKeySequence("Ctrl+Shift+C"), copy, "copy_command"},
      {"Edit", "Paste a machine",
       "Put a pasted nvidia-smi topo -m or NCCL XML in the fabric's place", QKeySequence::Paste,
       [&w] { w.paste_machine(QApplication::clipboard()->text()); }, "paste_machine"},
      {"Edit", "", "", {}, {}},
      {"Edit", "Find operation...", "Find operations on the timeline by a part of their name",
       QKeySequence::Find, [&w] { w.find_operation(); }, "find"},
  };
}

Specs run_actions(Document& d) {
  return {
      {"Run", "Run", "Predict every case again", QKeySequence("F5"), [&d] { d.run(); }, "run"},
      {"Run", "Cancel", "Stop and keep the previous answer", QKeySequence("Shift+F5"),
       [&d] { d.cancel(); }, "cancel"},
      {"Compare", "Pin as A", "Compare every later answer with this one", QKeySequence("Ctrl+B"),
       [&d] { d.pin(true); }, "pin"},
      {"Compare", "Let go of A", "Compare with nothing", QKeySequence("Ctrl+Shift+B"),
       [&d] { d.pin(false); }, "unpin"},
  };
}

Specs view_actions(MainWindow& w) {
  const auto dock = [&w](const QString& title, const QString& tip, const char* keys) {
    return ActionSpec{
        "View",         title, tip, QKeySequence(keys), [&w, title] { w.toggle_dock(title); },
        title.toLower()};
  };
  const auto colours = [&w](const QString& title, const QString& tip, ThemeKind kind,
                            const QString& name) {
    return ActionSpec{"View", title, tip, {}, [&w, kind] { w.set_theme(kind); }, name};
  };
  return {
      dock("Scenario", "Show or hide the scenario's settings", "Ctrl+1"),
      dock("Details", "Show or hide what is at the time cursor", "Ctrl+2"),
      dock("Problems", "Show or hide what is wrong with the scenario", "Ctrl+3"),
      {"View",
       "Reset layout",
       "Put every panel back",
       {},
       [&w] { w.reset_layout(); },
       "reset_layout"},
      {"View", "", "", {}, {}},
      colours("Dark", "Dark colours", ThemeKind::kDark, "dark"),
      colours("Light", "Light colours", ThemeKind::kLight, "light"),
      colours("As the system", "Colours as the desktop has them", ThemeKind::kSystem, "system"),
      {"View", "", "", {}, {}},
      {"View", "Sizes in GB or GiB", "Switch between powers of 1000 and of 1024",
       QKeySequence("Ctrl+G"), [&w] { w.switch_byte_unit(); }, "byte_unit"},
      {"View", "", "", {}, {}},
      {"View", "Larger text", "Scale the interface up", QKeySequence::ZoomIn,
       [&w] { w.scale_by(1.1); }, "larger"},
      {"View", "Smaller text", "Scale the interface down", QKeySequence::ZoomOut,
       [&w] { w.scale_by(1 / 1.1); }, "smaller"},
      {"Help", "Commands...", "Find a command by a few letters", QKeySequence("Ctrl+Shift+P"),
       [&w] { w.show_commands(); }, "commands"},
      {"Help", "Keys", "Every key and gesture on one page", QKeySequence("F1"),
       [&w] { w.show_keys(); }, "keys"},
  };
}

}  // namespace

std::vector<ActionSpec> window_actions(MainWindow& window, Document& document) {
  Specs all = file_actions(window);
  for (const Specs& more :
       {edit_actions(window, document), run_actions(document), view_actions(window)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace heddle::gui
