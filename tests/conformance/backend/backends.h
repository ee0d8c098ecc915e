#pragma once
// The backends under test: each runs a schedule on all its ranks and hands back what they measured.
// Adding one: a line in backends.cpp.

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "validator/execute/fault.h"
#include "validator/execute/rank_runner.h"

namespace heddle::test {

struct Outcome {
  std::vector<std::vector<execute::RankRun>> repeats;  // by repeat and rank, whole and good ones
  std::string failure;                                 // "timeout: ...", "" if there is none
};

struct Job {
  const schedule::Schedule& schedule;
  execute::RunOptions options;
  int repeats = 1;
  Bytes memory = gibibytes(1);
  execute::Fault fault = {};
};

struct Backend {
  std::string name;
  std::function<std::string()> missing;  // why it cannot run here, "" if it can
  std::function<Outcome(const Job&)> run;
};

const std::vector<Backend>& backends();

/// For a failing test's message.
inline std::ostream& operator<<(std::ostream& out, const Backend& backend) {
  return out << backend.name;
}

}  // namespace heddle::test
