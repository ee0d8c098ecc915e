#pragma once
// The table of `heddle bench`.

#include <iosfwd>
#include <string>
#include <vector>

#include "tests/bench/suite/workload.h"

namespace heddle::bench {

struct Row {
  const Workload* workload = nullptr;
  std::size_t size = 0;
  Done done;
  double seconds = 0;    // of CPU time, the median
  double mebibytes = 0;  // peak of the process while it ran
};

/// Rows of a workload ascend in size. Exponents compare a row with the one before: t ~ n^k.
void print_table(const std::vector<Row>& rows, std::ostream& out);

/// False if a goal of a row was missed.
bool all_met(const std::vector<Row>& rows);

}  // namespace heddle::bench
