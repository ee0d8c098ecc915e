#pragma once
// Does a backend do here what a schedule says? The heart of the conformance tests, carried by the
// program itself, for machines where the tests are not.

#include <string>
#include <vector>

#include "validator/launch/fleet.h"

namespace heddle::judge {

struct CheckResult {
  std::string name;
  bool passed = false;
  std::string text;  // why not
};

/// Each starts ranks of its own:
///
///   data      every collective in every type and three sizes delivers what it must
///   order     streams, events, communicators keep their order
///   memory    the allocator counts what the schedule allocates
///   again     the same ranks run it five times
///   no room   an allocation that does not fit is told as that
///   a hang    a collective that one rank never joins ends at its deadline, and no process is left
std::vector<CheckResult> self_check(const launch::FleetPlan& plan);

}  // namespace heddle::judge
