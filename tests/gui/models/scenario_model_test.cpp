#include "gui/models/scenario_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/document.h"
#include "sim/base/rng.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

class Scenario : public testing::Test {
 protected:
  QString value(const std::string& path) { return model_.data(model_.find(path)).toString(); }
  int origin(const std::string& path) {
    return model_.data(model_.find(path), ScenarioModel::kOriginRole).toInt();
  }
  void set(const std::string& path, const QString& text) {
    ASSERT_TRUE(model_.setData(model_.find(path), text)) << path;
    ASSERT_TRUE(test::wait_for_run(document_));
  }
  Scenario() {
    document_.open(test::source_path("scenarios/mistral-7b-4xh200.json"));
    test::wait_for_run(document_);
  }

  test::FoundingDocument founding_;
  Document& document_ = founding_.document;
  ScenarioModel model_{document_};
  QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(Scenario, RowsSayWhereTheirValuesComeFrom) {
  EXPECT_EQ(value("training.micro_batch"), "1");
  EXPECT_EQ(origin("training.micro_batch"), static_cast<int>(Origin::kFile));
  EXPECT_EQ(value("host.per_dispatch"), "5 us");
  EXPECT_EQ(value("training.accumulation"), "1");
  EXPECT_EQ(origin("training.accumulation"), static_cast<int>(Origin::kDefault));
  EXPECT_EQ(value("fabrics.2.gpus"), "[0, 1, 4, 5]");
}

TEST_F(Scenario, EditingRunsAndResettingGoesBack) {
  const std::string before = document_.results()->study.fingerprint();
  set("training.micro_batch", "2");
  EXPECT_EQ(value("training.micro_batch"), "2");
  EXPECT_EQ(origin("training.micro_batch"), static_cast<int>(Origin::kChanged));
  EXPECT_NE(document_.results()->study.fingerprint(), before);
  EXPECT_TRUE(model_.reset(model_.find("training.micro_batch")));
  test::wait_for_run(document_);
  EXPECT_EQ(document_.results()->study.fingerprint(), before);
  EXPECT_EQ(origin("training.micro_batch"), static_cast<int>(Origin::kFile));
}

TEST_F(Scenario, AFaultyValueStaysToBeMended) {
  set("host.per_dispatch", "5");
  EXPECT_EQ(value("host.per_dispatch"), "5");
  const QString problem =
      model_.data(model_.find("host.per_dispatch"), ScenarioModel::kProblemRole).toString();
  EXPECT_THAT(problem.toStdString(), HasSubstr("unit"));
  document_.undo();
  test::wait_for_run(document_);
  EXPECT_EQ(value("host.per_dispatch"), "5 us");
}

/// The file has the bare name "ddp": an option of it writes the strategy out.
TEST_F(Scenario, OptionsOfAStrategyGivenByNameCanBeSet) {
  set("strategies.0.options.bucket_cap_mb", "50");
  EXPECT_EQ(document_.diagnostics().error_count(), 0);
  EXPECT_EQ(value("strategies.0.options.bucket_cap_mb"), "50");
  EXPECT_EQ(document_.history().edits().front().first, "strategies.0");
}

/// Every row is set to what it says already spelt anew, or to another sound value of its kind, and
/// undone: the document is what it was, to the byte.
TEST_F(Scenario, EveryChangeIsUndoneToTheByte) {
  const std::string command = document_.command_line();
  const std::string before = document_.results()->study.fingerprint();
  int changes = 0;
  for (int s = 0; s < model_.rowCount(); ++s) {
    const QModelIndex section = model_.index(s, 0);
    for (int r = 0; r < model_.rowCount(section); ++r) {
      const QModelIndex cell = model_.index(r, ScenarioModel::kValue, section);
      const QString text = model_.data(cell).toString();
      if (model_.setData(cell, text + "7")) ++changes;
    }
  }
  EXPECT_GT(changes, 100);
  while (document_.history().can_undo()) document_.undo();
  ASSERT_TRUE(test::wait_for_run(document_));
  EXPECT_EQ(document_.command_line(), command);
  EXPECT_EQ(document_.results()->study.fingerprint(), before);
}

}  // namespace
}  // namespace heddle::gui
