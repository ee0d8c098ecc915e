#pragma once
// The backends under test: each runs a schedule on all its ranks and hands back what they measured.
// Adding one: a line in backends.cpp.

#include <functional>
#include <string>
#include <vector>

#include "validator/execute/rank_runner.h"

namespace heddle::test {

struct Backend {
  std::string name;
  /// By repeat and rank.
  std::function<std::vector<std::vector<execute::RankRun>>(
      const schedule::Schedule&, const execute::RunOptions&, int repeats, Bytes memory)>
      run;
};

const std::vector<Backend>& backends();

}  // namespace heddle::test
