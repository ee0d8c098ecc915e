// A schedule that went through its file is the same to the simulator and to the next file.

#include <gtest/gtest.h>

#include "sim/engine/simulation.h"
#include "sim/io/schedule_file.h"
#include "tests/support/random_schedule.h"
#include "tests/support/result_compare.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

TEST(ScheduleFileProperties, RoundTripChangesNothing) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    const std::string text = io::write_schedule(c.schedule, {"random", "a/b", "f"});
    Diagnostics out;
    const auto file = io::read_schedule(text, "random", out);
    ASSERT_TRUE(file.has_value()) << format(out.all().front());
    EXPECT_EQ(io::write_schedule(file->schedule, file->origin), text);
    const engine::ExecutorOptions options;
    const engine::RunResult before = engine::simulate(c.schedule, c.costs, options);
    const engine::RunResult after = engine::simulate(file->schedule, c.costs, options);
    EXPECT_EQ(before.fingerprint, after.fingerprint);
    ASSERT_EQ(before.ranks.size(), after.ranks.size());
    for (std::size_t r = 0; r < before.ranks.size(); ++r) {
      expect_same(before.ranks[r], after.ranks[r]);
    }
  });
}

}  // namespace
}  // namespace heddle::test
