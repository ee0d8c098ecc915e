#include "gui/models/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QTest>

#include "gui/models/sweep_fields.h"
#include "tests/gui/founding_document.h"
#include "tests/support/whole_program.h"

namespace heddle::gui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kScenario = "mistral-7b-4xa100.json";

bool wait_for(Sweep& sweep) {
  return QTest::qWaitFor([&] { return !sweep.is_running(); }, 60'000);
}

std::size_t column(const Sweep& sweep, const char* name) {
  return sweep::find_column(sweep.answer()->columns(), name);
}

TEST(SweepFields, NumbersWithAndWithoutUnitsOnly) {
  test::FoundingDocument founding(kScenario);
  const Diagnostics none;
  const ScenarioRows rows(founding.document.results()->study.scenario(), founding.document.text(),
                          {}, none);
  std::vector<std::string> paths;
  for (const SweepField& field : sweep_fields(rows)) paths.push_back(field.path);
  EXPECT_THAT(paths, Contains("training.micro_batch"));
  EXPECT_THAT(paths, Contains("headroom"));  // "2 %"
  EXPECT_THAT(paths, testing::Not(Contains("training.precision")));
}

TEST(SweepFields, SuggestsValuesOfTheSameUnit) {
  EXPECT_EQ(suggested_values("2"), "2,4,8,16");
  EXPECT_EQ(suggested_values("80 GB"), "40 GB,80 GB,120 GB,160 GB");
  EXPECT_EQ(suggested_values("0.5"), "0.25,0.5,0.75,1");
  EXPECT_EQ(suggested_values("0"), "0,1,2");
}

TEST(Sweep, RowsAreThoseOfTheCommandLine) {
  test::FoundingDocument founding(kScenario);
  founding.document.set("training.accumulation", "2");
  ASSERT_TRUE(test::wait_for_run(founding.document));
  Sweep sweep(founding.document);
  ASSERT_EQ(sweep.start({"training.micro_batch=1,2", "training.sequence_length=512,1024"}), "");
  ASSERT_TRUE(wait_for(sweep));
  const std::string file = test::source_path(std::string("scenarios/") + kScenario);
  EXPECT_EQ(sweep.command_line(),
            "heddle sweep " + file +
                " --set training.accumulation=2 --vary training.micro_batch=1,2 --vary "
                "training.sequence_length=512,1024");
  const std::vector<std::string> command{"sweep",  file,
                                         "--set",  "training.accumulation=2",
                                         "--vary", "training.micro_batch=1,2",
                                         "--vary", "training.sequence_length=512,1024"};
  EXPECT_EQ(sweep.text(false), test::heddle(command).out);
  std::vector<std::string> csv = command;
  csv.insert(csv.end(), {"--format", "csv"});
  EXPECT_EQ(sweep.text(true), test::heddle(csv).out);
}

/// The figures of a point are those of the scenario that it opens.
TEST(Sweep, APointOpensAsTheScenarioInOneStep) {
  test::FoundingDocument founding(kScenario);
  Document& document = founding.document;
  Sweep sweep(document);
  ASSERT_EQ(sweep.start({"training.micro_batch=1,2", "training.sequence_length=512,1024"}), "");
  ASSERT_TRUE(wait_for(sweep));
  const SweepCell cell = sweep.answer()->cell(2, "a100/fsdp", column(sweep, "step_time"));
  sweep.open(2, "a100/fsdp");
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_THAT(document.history().edits(),
              ElementsAre(testing::Pair("training.micro_batch", "2"),
                          testing::Pair("training.sequence_length", "512")));
  const run::CaseResult& opened = document.results()->cases[document.chosen()];
  EXPECT_EQ(opened.case_id, "a100/fsdp");
  EXPECT_EQ(opened.step_time.seconds(), *cell.value);
  document.undo();
  EXPECT_TRUE(document.history().edits().empty());
}

/// DDP of Mistral-7B needs more than the 80 GB that its GPUs have, FSDP does not: the best that
/// fits is never DDP, and a cell without one says what comes nearest.
TEST(Sweep, WhatDoesNotFitSaysWhyAndIsNeverTheBest) {
  test::FoundingDocument founding(kScenario);
  Sweep sweep(founding.document);
  ASSERT_EQ(sweep.start({"training.micro_batch=1,8"}), "");
  ASSERT_TRUE(wait_for(sweep));
  const std::size_t step = column(sweep, "step_time");
  const SweepCell ddp = sweep.answer()->cell(0, "a100/ddp", step);
  EXPECT_TRUE(ddp.value.has_value());
  EXPECT_FALSE(ddp.fits);
  EXPECT_THAT(ddp.trouble, HasSubstr("needs "));
  EXPECT_THAT(ddp.trouble, HasSubstr(" of 85.09 GB"));
  const SweepCell best = sweep.answer()->cell(0, kBestCase, step);
  EXPECT_TRUE(best.fits);
  EXPECT_NE(best.case_id, "a100/ddp");
  const SweepCell none = sweep.answer()->cell(1, kBestCase, step);
  EXPECT_FALSE(none.value.has_value());
  double least = 1e300;
  for (const std::string& id : sweep.answer()->cases()) {
    const double needed = sweep.answer()->cell(1, id, step).needed;
    if (needed > 0) least = std::min(least, needed);
  }
  EXPECT_EQ(none.needed, least);
}

TEST(Sweep, FaultyAxesAreExplainedBeforeAnythingRuns) {
  test::FoundingDocument founding(kScenario);
  Sweep sweep(founding.document);
  EXPECT_THAT(sweep.start({"training.micro_batch="}), HasSubstr("no path and values"));
  EXPECT_THAT(sweep.start({"a=1:20000:20000"}), HasSubstr("more than 10000"));
  EXPECT_THAT(sweep.start({"a=1,2", "a=3,4"}), HasSubstr("two different settings"));
  EXPECT_FALSE(sweep.is_running());
}

/// A value that the reader refuses is a cell with its words.
TEST(Sweep, ARefusedPointSaysWhatTheReaderSays) {
  test::FoundingDocument founding(kScenario);
  Sweep sweep(founding.document);
  ASSERT_EQ(sweep.start({"training.micro_batch=0,1"}), "");
  ASSERT_TRUE(wait_for(sweep));
  const SweepCell cell = sweep.answer()->cell(0, "a100/ddp", column(sweep, "step_time"));
  EXPECT_FALSE(cell.value.has_value());
  EXPECT_THAT(cell.trouble, HasSubstr("micro_batch"));
}

TEST(Sweep, CancellingKeepsWhatHasComeAndWaitsForNothing) {
  test::FoundingDocument founding(kScenario);
  Sweep sweep(founding.document);
  ASSERT_EQ(sweep.start({"training.micro_batch=1:8:8", "training.sequence_length=64:3200:50"}), "");
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return sweep.answer() != nullptr && sweep.answer()->points_done() > 0; }, 60'000));
  QElapsedTimer clock;
  clock.start();
  sweep.cancel();
  EXPECT_LT(clock.elapsed(), 200);
  EXPECT_FALSE(sweep.is_running());
  EXPECT_LT(sweep.answer()->points_done(), 400U);
  ASSERT_EQ(sweep.start({"training.micro_batch=1,2"}), "");
  EXPECT_LT(clock.elapsed(), 200);
  ASSERT_TRUE(wait_for(sweep));
  EXPECT_EQ(sweep.answer()->points_done(), 2U);
}

}  // namespace
}  // namespace heddle::gui
