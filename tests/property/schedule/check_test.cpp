// Schedules that run are sound to the checker, and one broken in one place is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/schedule/schedule_check.h"
#include "tests/support/random_schedule.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using schedule::OpKind;

TEST(ScheduleCheckProperties, AcceptsWhatIsSoundByConstruction) {
  for_each_seed([](std::uint64_t seed) {
    EXPECT_THAT(schedule::check_schedule(random_case(seed).schedule), ::testing::IsEmpty());
  });
}

/// Removing one collective of one program leaves its partners waiting, or shifts what meets what.
TEST(ScheduleCheckProperties, NamesAMissingCollective) {
  int broken = 0;
  for_each_seed([&](std::uint64_t seed) {
    schedule::Schedule s = random_case(seed).schedule;
    auto& ops = s.programs.back().ops;
    const auto lost = std::find_if(ops.begin(), ops.end(), [](const schedule::Op& op) {
      return op.kind == OpKind::kCollective;
    });
    if (s.programs.size() < 2 || lost == ops.end()) return;
    const auto c = s.collectives[lost->arg].communicator;
    if (s.communicators[c.index()].size() < 2) return;
    const auto shared = [&](int rank) {
      return s.program_of_rank[static_cast<std::size_t>(rank)] !=
             static_cast<int>(s.programs.size()) - 1;
    };
    const auto& members = s.communicators[c.index()].groups.front();
    if (std::none_of(members.begin(), members.end(), shared)) return;
    ops.erase(lost);
    ++broken;
    EXPECT_THAT(schedule::check_schedule(s), ::testing::Not(::testing::IsEmpty()));
  });
  EXPECT_GT(broken, 10);
}

}  // namespace
}  // namespace heddle::test
