#pragma once
// Runs the scenario that a story tells.

#include "sim/cli/accuracy/training_rules.h"
#include "sim/cli/environment.h"
#include "sim/run/study.h"

namespace heddle::cli::accuracy {

/// The study of a supported story. BadInput with everything found wrong in it.
run::Study open_story(const TrainingStory& story, const Environment& env);

}  // namespace heddle::cli::accuracy
