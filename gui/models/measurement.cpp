#include "gui/models/measurement.h"

#include <QFile>
#include <utility>

#include "gui/models/document.h"
#include "sim/base/error.h"
#include "sim/io/file.h"

namespace heddle::gui {

Measurement::Measurement(QString program, QString home, QObject* parent)
    : QObject(parent), program_(std::move(program)), home_(std::move(home)) {
  connect(&process_, &MeasureProcess::progressed, this, &Measurement::state_changed);
  connect(&process_, &MeasureProcess::ended, this, &Measurement::take_result);
}

Measurement::~Measurement() = default;

void Measurement::open(const std::string& file) {
  diagnostics_ = {};
  try {
    std::string text = io::read_file(file);
    auto report = read_validation_report(text, file, diagnostics_);
    if (report) {
      report_ = std::make_shared<const ValidationReport>(std::move(*report));
      text_ = std::move(text);
      Q_EMIT report_changed();
    }
  } catch (const Error& error) {
    diagnostics_.error("cannot-read", file, "", 0, error.what());
  }
  Q_EMIT state_changed();
}

std::string Measurement::save(const std::string& file) const {
  if (!report_) return "no report is open";
  try {
    io::write_file(file, text_);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void Measurement::start(const Document& document, const MeasureChoice& choice) {
  if (!document.results() || process_.is_running()) return;
  MeasureRequest request{program_,     home_,        QString::fromStdString(document.file()),
                         {},           {},           choice.backend,
                         choice.ranks, choice.scale, folder_.filePath("report.json")};
  for (const auto& [path, value] : document.history().edits()) {
    request.sets << QString::fromStdString(path + "=" + value);
  }
  request.case_id = QString::fromStdString(document.results()->cases[document.chosen()].case_id);
  diagnostics_ = {};
  QFile::remove(request.output);
  process_.start(request);
}

/// A run that was stopped or failed leaves a report, too; without one its words are all there is.
void Measurement::take_result(int exit_code) {
  const std::string file = folder_.filePath("report.json").toStdString();
  if (QFile::exists(QString::fromStdString(file))) return open(file);
  const QString said = process_.messages().trimmed();
  diagnostics_.error(
      "not-measured", program_.toStdString(), "", 0,
      said.isEmpty() ? "ended with exit code " + std::to_string(exit_code) : said.toStdString());
  Q_EMIT state_changed();
}

}  // namespace heddle::gui
