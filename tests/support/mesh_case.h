#pragma once
// Random jobs on a mesh: several copies of a random job, each its own group of every communicator,
// and a further communicator among the copies.

#include <cstdint>

#include "tests/support/random_schedule.h"

namespace heddle::test {

/// Two to four copies; groups cross the same links or links of their own. With `broken`, one rank
/// is slow or one link has another capacity.
RandomCase mesh_case(std::uint64_t seed, bool broken);

}  // namespace heddle::test
