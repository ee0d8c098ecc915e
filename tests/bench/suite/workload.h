#pragma once
// What `heddle bench` runs: workloads of the comparison with other simulators, by size, and what we
// set out to reach.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::bench {

/// What one run did.
struct Done {
  std::uint64_t work = 0;   // in the workload's unit
  double simulated_us = 0;  // the simulated time; 0: none
};

struct Goal {
  std::size_t size = 0;  // of the row it is about
  double seconds = 0;    // CPU time at most; 0: see `rate`
  double rate = 0;       // units per second of CPU time at least
  double mebibytes = 0;  // peak at most; 0: none set
};

struct Workload {
  std::string name;
  std::string unit;  // "sends", "flows"
  std::string what;  // one line
  std::vector<std::size_t> sizes;
  std::vector<Goal> goals;
  std::function<Done(std::size_t size)> run;

  std::optional<Goal> goal(std::size_t size) const;
};

/// In the order of the table. A new workload is a function and a line there.
const std::vector<Workload>& workloads();

}  // namespace heddle::bench
