#pragma once
// Every strategy and dialect with the switches it models, for several rank counts.

#include <string>
#include <vector>

#include "tests/unit/parallel/plans.h"

namespace heddle::parallel::testing {

struct Case {
  std::string strategy;
  std::string dialect;
  std::string variant;  // "plain" or what differs from it
  Setting setting;
  // Per parameter and step: element size times reductions; 0: no such rule.
  std::int64_t reduced_bytes = 2;
};

/// Cases that the strategy refuses are left out.
std::vector<Case> every_case();

/// "ddp_pytorch_ddp_view_4"
std::string case_name(const Case& c);

inline void PrintTo(const Case& c, std::ostream* out) {
  *out << case_name(c);
}

}  // namespace heddle::parallel::testing
