#include "gui/models/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <sstream>

#include "gui/models/result_table.h"
#include "gui/models/scenario_save.h"
#include "sim/io/result_writer.h"
#include "tests/gui/founding_document.h"
#include "tests/support/whole_program.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

constexpr const char* kFounding = "mistral-7b-4xh200.json";

std::string json_of(const Document& document) {
  const Results& results = *document.results();
  return io::write_result_json(results.study.scenario(), results.study.fingerprint(),
                               results.cases);
}

TEST(Document, HoldsTheBytesThatTheCommandLinePrints) {
  test::FoundingDocument founding(kFounding);
  ASSERT_TRUE(founding.document.results());
  const auto printed =
      test::heddle({"run", test::source_path("scenarios") + "/" + kFounding, "--format", "json"});
  EXPECT_EQ(json_of(founding.document), printed.out);
}

TEST(Document, ChangedScenarioEqualsItsCommand) {
  test::FoundingDocument founding(kFounding);
  Document& document = founding.document;
  document.set("training.micro_batch", "2");
  document.set("fabrics.0.gpus", "[0, 1]");
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_TRUE(document.is_current());
  const std::string file = test::source_path("scenarios") + "/" + kFounding;
  EXPECT_EQ(document.command_line(),
            "heddle run " + file + " --set training.micro_batch=2 --set 'fabrics.0.gpus=[0, 1]'");
  const auto printed = test::heddle({"run", file, "--set", "training.micro_batch=2", "--set",
                                     "fabrics.0.gpus=[0, 1]", "--format", "json"});
  EXPECT_EQ(json_of(document), printed.out);
}

TEST(Document, FaultyChangeKeepsTheAnswerAndSaysWhy) {
  test::FoundingDocument founding(kFounding);
  Document& document = founding.document;
  const ResultsPtr before = document.results();
  document.set("training.micro_batsch", "2");
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_EQ(document.results(), before);
  EXPECT_FALSE(document.is_current());
  ASSERT_EQ(document.diagnostics().error_count(), 1);
  std::string said;
  for (const Diagnostic& d : document.diagnostics().all()) {
    if (d.severity == Severity::kError) said += format(d);
  }
  EXPECT_THAT(said, HasSubstr("did you mean \"micro_batch\""));
  document.undo();
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_TRUE(document.is_current());
  EXPECT_EQ(document.diagnostics().error_count(), 0);
}

TEST(Document, UndoAndRedoRestoreTheAnswer) {
  test::FoundingDocument founding(kFounding);
  Document& document = founding.document;
  const std::string original = json_of(document);
  document.set("training.micro_batch", "2");
  ASSERT_TRUE(test::wait_for_run(document));
  const std::string changed = json_of(document);
  EXPECT_NE(original, changed);
  document.undo();
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_EQ(json_of(document), original);
  document.redo();
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_EQ(json_of(document), changed);
}

TEST(Document, MissingFileIsAProblemNotAnAnswer) {
  test::FoundingDocument founding;
  founding.document.open("no-such-scenario.json");
  ASSERT_TRUE(test::wait_for_run(founding.document));
  EXPECT_FALSE(founding.document.results());
  EXPECT_GT(founding.document.diagnostics().error_count(), 0);
}

TEST(Document, CancelKeepsThePreviousAnswer) {
  test::FoundingDocument founding(kFounding);
  Document& document = founding.document;
  const ResultsPtr before = document.results();
  document.set("training.micro_batch", "4");
  EXPECT_TRUE(document.is_running());
  document.cancel();
  EXPECT_FALSE(document.is_running());
  QCoreApplication::processEvents();
  EXPECT_EQ(document.results(), before);
  EXPECT_FALSE(document.is_current());
}

/// A change does not wait for the run before it, and a cancelled one is out of the way at once.
TEST(Document, NeitherChangingNorCancellingWaits) {
  test::FoundingDocument founding("mistral-7b-2x8xh200.json");
  Document& document = founding.document;
  QElapsedTimer clock;
  clock.start();
  document.set("training.micro_batch", "2");
  document.set("training.micro_batch", "3");  // the first is not waited for
  EXPECT_LT(clock.elapsed(), 200);
  QTest::qWait(60);
  clock.restart();
  document.cancel();
  EXPECT_LT(clock.elapsed(), 200);
  EXPECT_FALSE(document.is_running());
  document.run();
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_TRUE(document.is_current());
  EXPECT_EQ(document.results()->study.scenario().batch.micro_batch, 3);
}

TEST(Document, KeepsTheChosenCaseOverAChange) {
  test::FoundingDocument founding(kFounding);
  Document& document = founding.document;
  ASSERT_TRUE(document.choose("across-quads/fsdp"));
  EXPECT_FALSE(document.choose("across-quads/nothing"));
  document.set("training.micro_batch", "2");
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_EQ(document.results()->cases[document.chosen()].case_id, "across-quads/fsdp");
}

TEST(Document, ASavedScenarioIsTheSameQuestion) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  Document& document = founding.document;
  document.set("training.micro_batch", "2");
  ASSERT_TRUE(test::wait_for_run(document));
  const std::string fingerprint = document.results()->study.fingerprint();
  const std::string elsewhere = QDir::temp().filePath("saved.json").toStdString();
  EXPECT_THAT(save_scenario(document, elsewhere), HasSubstr("beside"));
  // A copy of the scenario's folder, so that nothing is written among the sources.
  QTemporaryDir folder;
  const std::string copy = folder.filePath("scenario.json").toStdString();
  std::filesystem::copy(test::source_path("scenarios/models"),
                        folder.filePath("models").toStdString(),
                        std::filesystem::copy_options::recursive);
  std::filesystem::copy(test::source_path("scenarios/mistral-7b-4xa100.json"), copy);
  document.open(copy);
  ASSERT_TRUE(test::wait_for_run(document));
  document.set("training.micro_batch", "2");
  ASSERT_TRUE(test::wait_for_run(document));
  const std::string saved = folder.filePath("saved.json").toStdString();
  EXPECT_EQ(save_scenario(document, saved), "");
  document.open(saved);
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_TRUE(document.history().edits().empty());
  EXPECT_EQ(document.results()->study.fingerprint(), fingerprint);
  document.set("training.micro_batch", "none");
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_THAT(save_scenario(document, saved), HasSubstr("mend"));
}

TEST(ResultTable, HasARowForEveryLineOfTheCommandLine) {
  test::FoundingDocument founding(kFounding);
  ResultTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  table.set_results(founding.document.results());
  EXPECT_EQ(table.rowCount(), 15 + 3);
  const auto printed = test::heddle({"run", test::source_path("scenarios") + "/" + kFounding});
  std::istringstream tsv(table.to_tsv());
  std::string line;
  std::getline(tsv, line);  // titles
  while (std::getline(tsv, line)) {
    std::istringstream cells(line);
    // Every cell is a word of one printed line, in its order.
    std::string pattern;
    for (std::string cell; std::getline(cells, cell, '\t');) pattern += cell + ' ';
    std::string squeezed;
    for (const char c : printed.out) {
      if (c != ' ' || squeezed.back() != ' ') squeezed += c == '\n' ? ' ' : c;
    }
    EXPECT_THAT(squeezed, HasSubstr(pattern.substr(0, pattern.size() - 1)));
  }
}

TEST(ResultTable, PartsOfAStepAddUpToIt) {
  test::FoundingDocument founding(kFounding);
  for (const run::CaseResult& result : founding.document.results()->cases) {
    Duration sum;
    for (const Duration part : step_parts(result)) sum += part;
    EXPECT_EQ(sum, result.step_time) << result.case_id;
  }
}

}  // namespace
}  // namespace heddle::gui
