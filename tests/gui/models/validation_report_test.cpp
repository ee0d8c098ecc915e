// Reports made by hand, so that every number is known, and one that a validator wrote.

#include "gui/models/validation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/error_table.h"
#include "gui/models/measured_overlay.h"
#include "gui/models/report_text.h"
#include "sim/io/file.h"
#include "tests/gui/founding_document.h"
#include "tests/gui/hand_made_report.h"

namespace heddle::gui {
namespace {

using test::hand_made_report;
using testing::HasSubstr;

std::shared_ptr<const ValidationReport> read(const std::string& text) {
  Diagnostics problems;
  auto report = read_validation_report(text, "hand.json", problems);
  EXPECT_FALSE(problems.has_errors()) << first_error(problems);
  return report ? std::make_shared<const ValidationReport>(std::move(*report)) : nullptr;
}

std::string refusal(const std::string& text) {
  Diagnostics problems;
  EXPECT_FALSE(read_validation_report(text, "hand.json", problems).has_value());
  return problems.has_errors() ? format(problems.all().front()) : "";
}

TEST(ValidationReport, APredictionLaidOverItselfHasNoError) {
  const auto report = read(hand_made_report({}));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->step->whole.error(), 0.0);
  for (const ReportRow& row : report->classes) EXPECT_EQ(row.error(), 0.0);
  const MeasuredOverlay overlay(report, 0);
  EXPECT_EQ(overlay.most_lead(), 0);
  ErrorTable table;
  table.set_report(report);
  for (int row = 0; row < table.rowCount(); ++row) {
    const auto judged = table.index(row, 0).data(ErrorTable::kJudgementRole).toInt();
    EXPECT_TRUE(judged == -1 || judged == static_cast<int>(Judgement::kWithin)) << row;
  }
}

/// Everything is predicted to take 1.1 times as long: the error is 10 % at every level, and an op
/// that was measured to end at t is predicted to end 0.1 t late.
TEST(ValidationReport, APredictionTenPercentTooLongIsTenPercentOff) {
  const auto report = read(hand_made_report({.stretch = 1.1}));
  ASSERT_TRUE(report);
  EXPECT_NEAR(*report->step->whole.error(), 0.1, 1e-9);
  for (const ReportRow& row : report->classes) EXPECT_NEAR(*row.error(), 0.1, 1e-9);
  const MeasuredOverlay overlay(report, 1);
  ASSERT_EQ(overlay.leads().size(), 2U);
  EXPECT_EQ(overlay.leads()[0].lead, 4'000'000'000);   // of 40 ms
  EXPECT_EQ(overlay.leads()[1].lead, 10'000'000'000);  // of 100 ms
  EXPECT_EQ(overlay.lead_at(50e9)->op, 11U);
  EXPECT_EQ(overlay.lead_at(30e9)->op, 10U);
  EXPECT_THAT(summary_text(*report), HasSubstr("error +10.0 %, tolerance 25 %"));
  ErrorTable table;
  table.set_report(report);
  EXPECT_EQ(table.index(0, ErrorTable::kError).data().toString().toStdString(), "+10.0 %");
  EXPECT_EQ(table.index(0, ErrorTable::kWord).data().toString().toStdString(), "within");
}

TEST(ValidationReport, BeyondTheToleranceThereIsAWordAndASign) {
  EXPECT_EQ(judge(0.25, 0.25), Judgement::kWithin);
  EXPECT_EQ(judge(0.26, 0.25), Judgement::kTooMuch);
  EXPECT_EQ(judge(-0.26, 0.25), Judgement::kTooLittle);
  EXPECT_EQ(judge(std::nullopt, 0.25), Judgement::kNotMeasured);
  const auto report = read(hand_made_report({.stretch = 0.5}));
  ErrorTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  table.set_report(report);
  EXPECT_EQ(table.index(0, ErrorTable::kError).data().toString().toStdString(), "-50.0 %");
  EXPECT_EQ(table.index(0, ErrorTable::kWord).data().toString().toStdString(), "too short");
  EXPECT_THAT(table.to_tsv(), HasSubstr("gemm\t"));
}

/// 1000 B of parameters all the time and 500 B of activations from between the two kernels until
/// behind the second, on either side where its own kernels are: at 44 and 110 ms, and 40 and 100
/// ms.
TEST(ValidationReport, MemoryLiesWhereTheWorkIs) {
  const auto report = read(hand_made_report({.stretch = 1.1}));
  const MeasuredOverlay overlay(report, 0);
  EXPECT_EQ(overlay.memory().at(43'999'999'999)->total, 1000);
  EXPECT_EQ(overlay.memory().at(44'000'000'000)->total, 1500);
  EXPECT_EQ(overlay.memory().at(110'000'000'000)->total, 1000);
  EXPECT_EQ(overlay.counted().at(39'999'999'999)->total, 1000);
  EXPECT_EQ(overlay.counted().at(40'000'000'000)->total, 1500);
  EXPECT_EQ(overlay.counted().at(100'000'000'000)->total, 1000);
}

TEST(ValidationReport, LanesOfAnotherNumberOfRanksAreRefused) {
  EXPECT_THAT(refusal(hand_made_report({.ranks = 4})),
              HasSubstr("is about 4 ranks, but \"rank_steps\" are 2"));
  EXPECT_THAT(refusal(hand_made_report({.predicted_ranks = 3})),
              HasSubstr("predicted lanes are of 3"));
}

TEST(ValidationReport, OtherFilesAreRefusedWithFilePlaceAndReason) {
  EXPECT_THAT(refusal("{}"), HasSubstr("hand.json:1: error"));
  EXPECT_THAT(refusal("{\"schema\": \"heddle.result/1\"}"), HasSubstr("heddle.validation/1"));
  EXPECT_THAT(refusal("{\"schema\": \"heddle.validation/1\", \"verdict\": \"agrees\"}"),
              HasSubstr("has no \"complete\""));
  std::string cut = hand_made_report({});
  cut.resize(cut.size() / 2);
  EXPECT_NE(refusal(cut), "");
}

TEST(ValidationReport, WithoutTimesItSaysThatNothingWasMeasured) {
  const auto report = read(
      R"({"schema": "heddle.validation/1", "verdict": "not_measured", "reasons": ["rank 1 died"],
          "complete": true, "scenario": "s", "case": "f/ddp", "backend": "mpi", "ranks": 2,
          "scale": 1, "failure": {"rank": 1, "text": "rank 1 died", "flight": ["rank 0: op 7"]}})");
  ASSERT_TRUE(report);
  EXPECT_EQ(summary_text(*report), "nothing was measured");
  EXPECT_THAT(failure_text(*report), HasSubstr("rank 1 died"));
  EXPECT_THAT(failure_text(*report), HasSubstr("rank 0: op 7"));
}

/// What the validator wrote on the machine named in it: the picture of the README.
TEST(ValidationReport, ReadsTheMeasurementOfThisRepository) {
  const std::string file = test::source_path("scenarios/measured/fsdp-on-two-cpu-ranks.json");
  const std::string text = io::read_file(file);
  EXPECT_TRUE(names_validation(text));
  const auto report = read(text);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->ranks, 2);
  const MeasuredOverlay overlay(report, slowest_rank(*report));
  EXPECT_EQ(overlay.lanes().size(), 6U);  // three streams on either side
  EXPECT_FALSE(overlay.memory().moments().empty());
  const auto& moments = overlay.memory().moments();
  for (std::size_t i = 0; i < moments.size(); ++i) {
    ASSERT_EQ(overlay.counted().moments()[i].total, moments[i].total);  // memory agreed
  }
  EXPECT_GE(report->environment.size(), 10U);
}

}  // namespace
}  // namespace heddle::gui
