#pragma once
// Equality of simulated results, to the picosecond.

#include "sim/engine/run_result.h"

namespace heddle::test {

/// When the last recorded op ends.
SimTime last_end(const engine::RunResult& result);

/// Expects `b` to be `a`, except that everything happens `shift` later and op numbers are
/// `op_shift` higher. The order of ops that end together is free.
void expect_same(const engine::RankResult& a, const engine::RankResult& b, Duration shift = {},
                 std::uint32_t op_shift = 0);

}  // namespace heddle::test
