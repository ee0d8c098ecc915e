#pragma once
// The validator's report that is open, and the measurement that is being made.

#include <QObject>
#include <QTemporaryDir>
#include <memory>
#include <string>

#include "gui/models/measure_process.h"
#include "gui/models/validation_report.h"

namespace heddle::gui {

class Document;

/// What a person chooses; the rest is the document's.
struct MeasureChoice {
  QString backend;
  int ranks = 2;
  double scale = 1;
};

class Measurement : public QObject {
  Q_OBJECT
 public:
  /// `program` is heddle, `home` what its children are told.
  Measurement(QString program, QString home, QObject* parent = nullptr);
  ~Measurement() override;

  /// Takes the place of the report that is open, or changes nothing but diagnostics().
  void open(const std::string& file);
  /// Null before the first.
  const std::shared_ptr<const ValidationReport>& report() const { return report_; }
  /// Of the last open() or run; empty if it went well.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Copies the report that is open, its bytes unchanged. What went wrong, or "".
  std::string save(const std::string& file) const;

  QStringList backends() const { return measure_backends(program_); }
  const QString& program() const { return program_; }
  /// Measures the document's chosen case. Needs results.
  void start(const Document& document, const MeasureChoice& choice);
  MeasureProcess& process() { return process_; }
  const MeasureProcess& process() const { return process_; }

 Q_SIGNALS:
  void report_changed();
  /// Of process(), or a refused file.
  void state_changed();

 private:
  void take_result(int exit_code);

  QString program_;
  QString home_;
  QTemporaryDir folder_;  // reports of runs, until they are saved
  MeasureProcess process_;
  std::shared_ptr<const ValidationReport> report_;
  std::string text_;
  Diagnostics diagnostics_;
};

}  // namespace heddle::gui
