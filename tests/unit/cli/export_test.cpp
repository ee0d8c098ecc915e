// `heddle export schedule` as a user calls it.

#include "sim/base/diagnostics.h"
#include "sim/io/schedule_file.h"
#include "sim/schedule/schedule_check.h"
#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

class Export : public Program {};

TEST_F(Export, WritesASoundScheduleOfOneCase) {
  const Outcome outcome =
      call({"export", "schedule", path("tiny.json"), "--case", "fast/fsdp", "-o", path("s")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  Diagnostics out;
  const auto file = io::read_schedule(read("s"), "s", out);
  ASSERT_TRUE(file.has_value()) << format(out.all().front());
  EXPECT_EQ(file->origin.scenario, "tiny");
  EXPECT_EQ(file->origin.case_id, "fast/fsdp");
  EXPECT_EQ(file->schedule.rank_count(), 4);
  EXPECT_EQ(file->schedule.programs.size(), 1U);  // a class, not four ranks
  EXPECT_TRUE(schedule::check_schedule(file->schedule).empty());
}

TEST_F(Export, IsTheSameEveryTime) {
  const std::vector<std::string> arguments{"export", "schedule", path("tiny.json"), "--case",
                                           "fast/ddp"};
  EXPECT_EQ(call(arguments).out, call(arguments).out);
}

TEST_F(Export, NeedsOneCase) {
  const Outcome outcome = call({"export", "schedule", path("tiny.json")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("fast/ddp"), std::string::npos) << outcome.err;
}

TEST_F(Export, RefusesWhatItDoesNotWrite) {
  EXPECT_EQ(call({"export", "picture", path("tiny.json")}).code, 2);
}

}  // namespace
}  // namespace heddle::cli
