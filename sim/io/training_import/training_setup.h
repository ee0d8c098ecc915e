#pragma once
// What a framework's configuration says about a run.

#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace heddle::io {

struct TrainingSetup {
  std::string strategy;  // name in the strategies table; empty: refused
  std::string dialect;
  parallel::DialectOptions options;
  std::vector<run::ConfigDecision> decisions;
  std::vector<std::string> without_effect;  // keys that touch neither memory nor time
};

}  // namespace heddle::io
