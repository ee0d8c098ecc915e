#pragma once
// The scenario that is open: its file, its changes, and the last answer. Runs are jobs on another
// thread; everything here belongs to the thread that made it.

#include <QObject>
#include <memory>
#include <string>

#include "gui/models/edit_history.h"
#include "gui/models/results.h"
#include "sim/base/diagnostics.h"
#include "sim/run/hardware_catalog.h"

namespace heddle::gui {

class CaseView;
class StudyJob;
struct JobOutcome;

class Document : public QObject {
  Q_OBJECT
 public:
  /// `catalog` must outlive the document; jobs on other threads share it.
  explicit Document(const run::HardwareCatalog& catalog, QObject* parent = nullptr);
  ~Document() override;

  /// Runs this file; once there is an answer, it takes the place of the previous file, its changes
  /// and its answer. A faulty one changes nothing but diagnostics().
  void open(const std::string& file);
  const std::string& file() const { return file_; }
  /// As it was when it was opened; "" if it could not be read.
  const std::string& text() const { return text_; }
  bool is_open() const { return !file_.empty(); }

  /// Each change that alters something starts a run.
  void set(const std::string& path, const std::string& value);
  /// All of the changes at once, in one step of undo called `name`.
  void set_all(const std::string& name, const Edits& edits);
  void reset(const std::string& path);
  void undo();
  void redo();
  const EditHistory& history() const { return history_; }
  const run::HardwareCatalog& catalog() const { return catalog_; }

  void run();
  /// The previous answer stays. At once, though the case that is being run ends on its own.
  void cancel();
  bool is_running() const { return running_; }

  /// Null before the first answer. Stays while a change is faulty: diagnostics() says what.
  const ResultsPtr& results() const { return results_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Whether results() answers the scenario as it is now.
  bool is_current() const { return current_; }

  /// What later answers are compared with; null if nothing is pinned.
  const ResultsPtr& pinned() const { return pinned_; }
  /// Pins the answer, or what was pinned before is let go.
  void pin(bool pinned);

  /// The case that timeline, memory and fabric show; index into results()->cases.
  std::size_t chosen() const { return chosen_; }
  void choose(std::size_t index);
  /// By its id; false if there is none.
  bool choose(const std::string& case_id);
  /// Timelines of a case, made when first asked for. Needs results().
  std::shared_ptr<const CaseView> view(std::size_t index) const;

  /// The command that prints what is shown.
  std::string command_line() const;

 Q_SIGNALS:
  void opened();
  void edits_changed();
  void run_started();
  void progressed(int done, int total);
  void run_ended();
  void results_changed();
  void chosen_changed();

 private:
  void launch();
  void start();
  void adopt(JobOutcome& outcome);
  void end(std::uint64_t run, JobOutcome outcome);
  void take(JobOutcome outcome);

  const run::HardwareCatalog& catalog_;
  std::string opening_;  // the file that runs to be opened; "" if the open one runs
  std::string file_;
  std::string text_;
  EditHistory history_;
  ResultsPtr results_;
  ResultsPtr pinned_;
  Diagnostics diagnostics_;
  mutable std::vector<std::shared_ptr<const CaseView>> views_;  // by case
  std::size_t chosen_ = 0;
  bool running_ = false;
  bool current_ = false;
  std::uint64_t run_ = 0;          // number of the last job; answers of earlier ones are dropped
  std::unique_ptr<StudyJob> job_;  // last: its thread ends before anything else does
};

}  // namespace heddle::gui
