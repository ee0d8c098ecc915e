#pragma once
// From the command line's scenario file to a study that is ready to run.

#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/cli/environment.h"
#include "sim/run/study.h"

namespace heddle::cli {

struct StudyRequest {
  std::string file;
  std::vector<std::string> overrides;  // "path=value", as --set takes them
};

/// Splits at the first '='. UsageError if there is none.
std::vector<std::pair<std::string, std::string>> split_overrides(
    const std::vector<std::string>& overrides);

/// "80 GB" for every GPU instead of its own memory. UsageError, naming `option`, if it is no size.
void set_memory_capacity(StudyRequest& request, const std::string& option, const std::string& text);

/// BadInput with everything found wrong in the scenario and its files.
run::Scenario load_scenario(const StudyRequest& request, Diagnostics& notes);

/// BadInput with everything found wrong in the scenario, its files and its hardware; what is no
/// error is left in `notes`.
run::Study load_study(const StudyRequest& request, const Environment& env, Diagnostics& notes);

/// The same for verbs that only show warnings.
run::Study load_study(const StudyRequest& request, const Environment& env);

}  // namespace heddle::cli
