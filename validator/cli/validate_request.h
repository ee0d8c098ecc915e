#pragma once
// One validation as a user asks for it, for the verbs that make one or several.

#include <string>

#include "sim/cli/case_selection.h"
#include "sim/cli/environment.h"
#include "sim/cli/options.h"
#include "sim/cli/study_loader.h"
#include "validator/judge/validation.h"

namespace heddle::validator_cli {

struct ValidateRequest {
  cli::StudyRequest study;
  cli::Selection selection;
  std::string backend;
  int ranks = 0;  // 0: as the case has it
  double scale = 1;
  std::string schedule_file;  // run this one instead
  double tolerance = 0;       // 0: by backend, ranks and cores
  double deadline_s = 30;
  std::string calibration_file;  // in place of a probe
  bool async_allocator = false;
  int attempts = 3;
  std::string output_file;
  std::string trace_file;
  cli::Format format = cli::Format::kTable;
};

/// A folder of this run's own that goes away with it.
class WorkFolder {
 public:
  WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// UsageError with the nearest name if there is none of that name.
const launch::BackendEntry& backend_of(const std::string& name);
/// Where the worker programs are: beside this one.
std::string worker_folder();
/// Prints the result as the request wants it and writes its files.
judge::Validation run_validation(const ValidateRequest& request, const cli::Environment& env);

}  // namespace heddle::validator_cli
