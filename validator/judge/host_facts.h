#pragma once
// The machine a measurement was made on.

#include <string>

#include "sim/base/units.h"

namespace heddle::judge {

struct HostFacts {
  std::string host;
  std::string cpu;
  int cores = 0;
  double load = 0;  // of the last minute, before anything ran
  std::string transport;
  std::string date;  // "2026-11-30T23:10:00Z"
};

HostFacts host_facts();
/// What programs can still get; zero if the system does not say.
Bytes available_memory();

}  // namespace heddle::judge
