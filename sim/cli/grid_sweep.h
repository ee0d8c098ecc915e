#pragma once
// What `heddle sweep` was asked for, and its run. (sweep.h is about sizes of one collective.)

#include <string>
#include <vector>

#include "sim/cli/case_selection.h"
#include "sim/cli/environment.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/study_loader.h"
#include "sim/sweep/row_text.h"

namespace heddle::cli {

struct GridSweepOptions {
  StudyRequest study;
  Selection selection;
  std::vector<std::string> vary;
  std::string where;
  std::string pareto;
  sweep::LineFormat format = sweep::LineFormat::kJsonLines;
  std::string output_file;
  std::string resume_file;
  int jobs = 1;
};

/// UsageError for what the command line says wrongly; BadInput for a file that is missing or is of
/// another sweep.
ExitCode run_grid_sweep(const GridSweepOptions& options, const Environment& env);

}  // namespace heddle::cli
