#pragma once
// `heddle validate` as a child process: the same program that a person would type, so that a
// measurement that dies or hangs is none of the window's. Its standard error names stages, the
// report's journal holds a line per sample.

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace heddle::gui {

struct MeasureRequest {
  QString program;   // heddle
  QString home;      // HEDDLE_HOME of the child; empty: its own
  QString file;      // scenario
  QStringList sets;  // "path=value"
  QString case_id;
  QString backend;
  int ranks = 2;
  double scale = 1;
  QString output;  // the report
};

/// Everything behind `heddle`.
QStringList measure_arguments(const MeasureRequest& request);
/// Those whose ranks stand beside `program`: "mpi", "reference", ...
QStringList measure_backends(const QString& program);

class MeasureProcess : public QObject {
  Q_OBJECT
 public:
  explicit MeasureProcess(QObject* parent = nullptr);
  /// Asks a child that runs to end, then kills it.
  ~MeasureProcess() override;

  /// One at a time.
  void start(const MeasureRequest& request);
  /// As Ctrl-C: ranks stop and the report says that it is not complete. Again: killed.
  void cancel();
  bool is_running() const { return child_.state() != QProcess::NotRunning; }

  const QString& stage() const { return stage_; }  // "measuring"
  int samples() const { return samples_; }
  double last_step() const { return last_step_; }  // seconds, of the last sample
  /// What it said besides stages.
  const QString& messages() const { return messages_; }

 Q_SIGNALS:
  void progressed();
  void ended(int exit_code);

 private:
  void read_messages();
  void read_journal();

  QProcess child_;
  QTimer poll_;
  QString journal_;
  QString stage_;
  QString messages_;
  int samples_ = 0;
  double last_step_ = 0;
  bool asked_to_end_ = false;
};

}  // namespace heddle::gui
