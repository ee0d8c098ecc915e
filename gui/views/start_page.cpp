#include "gui/views/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/models/report_text.h"
#include "gui/models/validation_report.h"
#include "gui/views/theme.h"
#include "sim/base/diagnostics.h"
#include "sim/base/error.h"
#include "sim/io/file.h"
#include "sim/io/json_document.h"

namespace heddle::gui {
namespace {

std::string text_of(const io::Value& root, std::string_view key) {
  Diagnostics ignored;
  const auto value = root.member(key);
  return value ? value->as_string(ignored).value_or("") : "";
}

/// Reports of the validator, with what was measured as their description.
void add_measurements(const QDir& dir, std::vector<Example>& out) {
  for (const QString& name : dir.entryList({"*.json"}, QDir::Files, QDir::Name)) {
    const std::string file = dir.filePath(name).toStdString();
    Diagnostics ignored;
    try {
      const auto report = read_validation_report(io::read_file(file), file, ignored);
      if (!report) continue;
      out.push_back({file, "A measurement over its prediction", origin_text(*report)});
    } catch (const Error&) {
      continue;  // unreadable: no example
    }
  }
}

QLabel* make_label(const QString& text, int step, bool strong, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setFont(ui_font(step, strong));
  label->setWordWrap(true);
  return label;
}

/// A button with two lines: a name and what it is about.
class ExampleButton : public QPushButton {
 public:
  ExampleButton(const Example& example, QWidget* parent) : QPushButton(parent) {
    setAccessibleName(QString::fromStdString(example.name));
    setAccessibleDescription(QString::fromStdString(example.description));
    setCursor(Qt::PointingHandCursor);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 11, 16, 12);
    column->setSpacing(2);
    auto* name = make_label(QString::fromStdString(example.name), 0, true, this);
    auto* about = make_label(QString::fromStdString(example.description), 0, false, this);
    about->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {name, about}) {
      label->setAttribute(Qt::WA_TransparentForMouseEvents);
      column->addWidget(label);
    }
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  }
  QSize sizeHint() const override { return layout()->sizeHint(); }
  QSize minimumSizeHint() const override { return layout()->minimumSize(); }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return layout()->heightForWidth(width); }
};

}  // namespace

std::vector<Example> find_examples(const std::string& folder) {
  std::vector<Example> out;
  const QDir dir(QString::fromStdString(folder));
  for (const QString& name : dir.entryList({"*.json"}, QDir::Files, QDir::Name)) {
    const std::string file = dir.filePath(name).toStdString();
    Diagnostics ignored;
    try {
      const auto document = io::JsonDocument::parse(io::read_file(file), file, ignored);
      if (!document) continue;
      const io::Value root = document->root();
      const std::string title = text_of(root, "name");
      if (!title.empty()) out.push_back({file, title, text_of(root, "description")});
    } catch (const Error&) {
      continue;  // unreadable: no example
    }
  }
  add_measurements(QDir(dir.filePath("measured")), out);
  return out;
}

/// Goes when either is clicked.
QWidget* StartPage::lost_row(const LostEdits& lost) {
  auto* row = new QWidget(this);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  const QString name = QFileInfo(QString::fromStdString(lost.file)).fileName();
  const auto count = static_cast<int>(lost.edits.size());
  auto* restore =
      new QPushButton(QString(count == 1 ? "Restore %1 change of %2" : "Restore %1 changes of %2")
                          .arg(count)
                          .arg(name),
                      row);
  restore->setToolTip(QString::fromStdString(lost.file));
  auto* forget = new QPushButton("Discard", row);
  forget->setAccessibleName("Discard the changes of " + name);
  forget->setFlat(true);
  connect(restore, &QPushButton::clicked, this, [this, row, lost] {
    row->hide();
    Q_EMIT restored(lost);
  });
  connect(forget, &QPushButton::clicked, row, [row, lost] {
    row->hide();
    discard(lost);
  });
  line->addWidget(restore);
  line->addWidget(forget);
  line->addStretch(1);
  return row;
}

StartPage::StartPage(const std::vector<Example>& examples, const QStringList& recent,
                     const std::vector<LostEdits>& lost, QWidget* parent)
    : QWidget(parent) {
  auto* page = new QHBoxLayout(this);
  auto* box = new QWidget(this);
  box->setMaximumWidth(720);
  page->addStretch(1);
  page->addWidget(box, 20);
  page->addStretch(1);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(24, 24, 24, 24);
  column->setSpacing(8);
  column->addStretch(1);
  column->addWidget(make_label("Heddle", 6, true, box));
  auto* about = make_label(
      "GPU memory over time and step time of every sharding strategy, on the wiring you have.", 1,
      false, box);
  about->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(about);
  column->addSpacing(18);
  if (!lost.empty()) {
    column->addWidget(make_label("Not saved when the program ended", 0, true, box));
    for (const LostEdits& one : lost) column->addWidget(lost_row(one));
    column->addSpacing(10);
  }
  for (const Example& example : examples) {
    auto* button = new ExampleButton(example, box);
    connect(button, &QPushButton::clicked, this,
            [this, file = QString::fromStdString(example.file)] { Q_EMIT chosen(file); });
    column->addWidget(button);
  }
  if (!recent.isEmpty()) {
    column->addSpacing(10);
    column->addWidget(make_label("Recent", 0, true, box));
  }
  for (const QString& file : recent) {
    auto* button = new QPushButton(file, box);
    button->setFlat(true);
    connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT chosen(file); });
    column->addWidget(button, 0, Qt::AlignLeft);
  }
  column->addSpacing(14);
  auto* open = new QPushButton("Open a scenario or a measurement...", box);
  connect(open, &QPushButton::clicked, this, &StartPage::browse);
  column->addWidget(open, 0, Qt::AlignLeft);
  auto* drop = make_label("or drop its file anywhere in this window", 0, false, box);
  drop->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(drop);
  column->addStretch(2);
}

}  // namespace heddle::gui
