// A measurement as a child process, on the backend that needs nothing but this repository.

#include "gui/models/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "sim/io/file.h"
#include "tests/gui/founding_document.h"
#include "tests/gui/hand_made_report.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

constexpr int kPatienceMs = 60'000;

TEST(Measurement, KnowsTheBackendsBesideTheProgram) {
  QTemporaryDir folder;
  for (const char* name : {"heddle", "heddle-worker-mpi", "heddle-worker-xyz"}) {
    QFile file(folder.filePath(name));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
  }
  EXPECT_EQ(measure_backends(folder.filePath("heddle")), QStringList({"mpi", "xyz"}));
}

TEST(Measurement, AsksForWhatAPersonWouldType) {
  const MeasureRequest request{"heddle", "",   "a.json", {"training.micro_batch=2"}, "f/ddp", "mpi",
                               2,        0.03, "r.json"};
  EXPECT_EQ(measure_arguments(request).join(' ').toStdString(),
            "validate a.json --case f/ddp --backend mpi --ranks 2 --scale 0.03 --output r.json "
            "--set training.micro_batch=2");
}

/// Started, followed sample by sample, stopped: what is left is a report that says it is partial.
TEST(Measurement, StoppedInTheMiddleItLeavesAPartialReport) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  Measurement measurement(HEDDLE_PROGRAM, HEDDLE_SOURCE_DIR);
  ASSERT_TRUE(measurement.backends().contains("reference"));
  measurement.start(founding.document, {"reference", 2, 0.01});
  EXPECT_TRUE(measurement.process().is_running());
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return measurement.process().samples() > 0 || !measurement.process().is_running(); },
      kPatienceMs));
  ASSERT_TRUE(measurement.process().is_running()) << measurement.process().messages().toStdString();
  EXPECT_GT(measurement.process().last_step(), 0);
  measurement.process().cancel();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !measurement.process().is_running(); }, kPatienceMs));
  ASSERT_TRUE(QTest::qWaitFor([&] { return measurement.report() != nullptr; }, 5000))
      << measurement.process().messages().toStdString();
  EXPECT_FALSE(measurement.report()->complete);
  EXPECT_EQ(measurement.report()->ranks, 2);
  EXPECT_EQ(measurement.report()->case_id, "nvswitch/ddp");
  QTemporaryDir folder;
  const std::string copy = folder.filePath("copy.json").toStdString();
  EXPECT_EQ(measurement.save(copy), "");
  measurement.open(copy);
  EXPECT_FALSE(measurement.diagnostics().has_errors());
}

TEST(Measurement, AProgramThatIsNotThereIsAProblemInWords) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  Measurement measurement("no-such-program", HEDDLE_SOURCE_DIR);
  measurement.start(founding.document, {"mpi", 2, 0.01});
  ASSERT_TRUE(QTest::qWaitFor([&] { return measurement.diagnostics().has_errors(); }, 5000));
  EXPECT_THAT(first_error(measurement.diagnostics()), HasSubstr("no-such-program"));
  EXPECT_EQ(measurement.report(), nullptr);
}

TEST(Measurement, AFaultyFileLeavesTheReportThatIsOpen) {
  QTemporaryDir folder;
  const std::string file = folder.filePath("report.json").toStdString();
  io::write_file(file, test::hand_made_report({}));
  Measurement measurement(HEDDLE_PROGRAM, HEDDLE_SOURCE_DIR);
  measurement.open(file);
  const auto before = measurement.report();
  ASSERT_TRUE(before);
  measurement.open(test::source_path("tests/bad/unknown-keys.json"));
  EXPECT_TRUE(measurement.diagnostics().has_errors());
  EXPECT_EQ(measurement.report(), before);
}

}  // namespace
}  // namespace heddle::gui
