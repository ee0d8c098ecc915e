#include "gui/models/placements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QTest>

#include "gui/models/place_rows.h"
#include "sim/cli/place_report.h"
#include "tests/gui/founding_document.h"
#include "tests/support/whole_program.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

constexpr const char* kFounding = "mistral-7b-4xh200.json";

class Placing : public testing::Test {
 protected:
  void start(int count, const std::string& busy, const std::string& fabric) {
    placements_.start(count, busy, fabric);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !placements_.is_running(); }, 60'000));
  }

  test::FoundingDocument founding_{kFounding};
  Placements placements_{founding_.document};
};

TEST_F(Placing, AnswersAsTheCommandLine) {
  start(4, "0, 5", "quad");
  ASSERT_TRUE(placements_.answer());
  const std::string file = test::source_path(std::string("scenarios/") + kFounding);
  EXPECT_EQ(placements_.command_line(),
            "heddle place " + file + " --gpus 4 --busy '0, 5' --fabric quad");
  EXPECT_EQ(cli::place_table(placements_.answer()->places),
            test::heddle({"place", file, "--gpus", "4", "--busy", "0,5", "--fabric", "quad"}).out);
}

/// Within a quad collectives run over bridges, across quads through the host: a third as fast or
/// less; either is found once.
TEST_F(Placing, RanksThePlacementsOfAStrategy) {
  start(4, "", "quad");
  PlaceRows rows;
  const QAbstractItemModelTester tester(&rows,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  rows.set_answer(placements_.answer(), "ddp");
  ASSERT_GE(rows.rowCount(), 2);
  EXPECT_EQ(rows.index(0, 0).data().toString().toStdString(), "0,1,2,3");
  rows.pin(0);
  const int last = rows.rowCount() - 1;
  EXPECT_GT(rows.against_pinned(last), 2);
  EXPECT_EQ(rows.against_text(0), "A");
  EXPECT_THAT(rows.against_text(last), testing::EndsWith("x"));
  EXPECT_EQ(rows.index(last, rows.columnCount() - 1).data().toString().toStdString(),
            rows.against_text(last));
}

TEST_F(Placing, LaysOneOnTheFabricInOneStep) {
  start(4, "0", "quad");
  PlaceRows rows;
  rows.set_answer(placements_.answer(), "fsdp");
  placements_.lay(*rows.ranked(0));
  ASSERT_TRUE(test::wait_for_run(founding_.document));
  const std::string* gpus = founding_.document.history().find("fabrics.1.gpus");
  ASSERT_NE(gpus, nullptr);
  const Results& results = *founding_.document.results();
  const run::CaseResult& chosen = results.cases[founding_.document.chosen()];
  EXPECT_EQ(chosen.case_id, "quad/fsdp");
  EXPECT_EQ(chosen.step_time, rows.ranked(0)->step_time);
  founding_.document.undo();
  EXPECT_TRUE(founding_.document.history().edits().empty());
}

TEST_F(Placing, FaultyRequestsAreExplained) {
  start(9, "", "quad");
  EXPECT_EQ(placements_.answer(), nullptr);
  EXPECT_THAT(first_error(placements_.diagnostics()), HasSubstr("--gpus"));
  start(4, "77", "quad");
  EXPECT_THAT(first_error(placements_.diagnostics()), HasSubstr("no GPU \"77\""));
}

TEST_F(Placing, StoppedItKeepsWhatWasRun) {
  placements_.start(4, "", "");
  placements_.cancel();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !placements_.is_running(); }, 60'000));
  ASSERT_TRUE(placements_.answer());
  EXPECT_LT(placements_.answer()->places.ranked.size(), 30U);  // of 6 placements, 5 strategies
}

}  // namespace
}  // namespace heddle::gui
