#pragma once
// Runs what a plan refers to, each case once however many rows read it.

#include <map>
#include <string>
#include <vector>

#include "sim/cli/environment.h"
#include "sim/cli/study_loader.h"
#include "sim/run/case_result.h"
#include "sim/run/machine.h"

namespace heddle::cli::accuracy {

/// What rows read of a case; its timelines are dropped.
struct Outcome {
  run::MemoryReport memory;
  double samples_per_second = 0;
  std::int64_t parameters = 0;
  int ranks = 0;
  bool expandable_segments = false;
  double layer_copies = 0;  // what one layer saves and puts out / (2 bytes x hidden x tokens)
};

class Outcomes {
 public:
  explicit Outcomes(const Environment& env) : env_(env) {}
  /// `study.file` is within the scenarios folder. BadInput or UsageError if it cannot be run.
  const Outcome& of(const StudyRequest& study, const std::string& case_id);
  /// What the scenario itself declares.
  std::vector<std::string> assumptions(const StudyRequest& study);
  run::Machine machine(const run::FabricChoice& place) const;

 private:
  const run::Study& open(const StudyRequest& study);

  const Environment& env_;
  std::map<std::string, run::Study> studies_;
  std::map<std::string, Outcome> outcomes_;
};

}  // namespace heddle::cli::accuracy
