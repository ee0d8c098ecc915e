#pragma once
// A study on a thread of its own: reads a scenario as the command line does and runs every case.

#include <functional>
#include <string>
#include <thread>

#include "gui/models/results.h"
#include "sim/base/diagnostics.h"
#include "sim/cli/study_loader.h"

namespace heddle::gui {

struct JobOutcome {
  ResultsPtr results;  // null: faulty input, a failed run, or cancelled
  Diagnostics diagnostics;
  bool cancelled = false;
};

/// Both are called on the job's thread.
struct JobHooks {
  std::function<void(int done, int total)> progressed;
  std::function<void(JobOutcome)> finished;
};

class StudyJob {
 public:
  /// `catalog` must outlive the job and be used by no other thread meanwhile.
  StudyJob(cli::StudyRequest request, const run::HardwareCatalog& catalog, JobHooks hooks);
  /// Cancels and waits for the case that is running.
  ~StudyJob() = default;
  StudyJob(const StudyJob&) = delete;
  StudyJob& operator=(const StudyJob&) = delete;

  /// Takes effect when the running case ends.
  void cancel() { thread_.request_stop(); }

 private:
  std::jthread thread_;
};

}  // namespace heddle::gui
