#include "gui/models/machine_drop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QTemporaryDir>

#include "gui/models/document.h"
#include "sim/io/file.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

/// The wiring of the quads dropped on the NVSwitch machine of the same scenario: its DDP then runs
/// as on a quad whose collectives nothing calibrated; dropped on the quad itself it is the same
/// machine.
TEST(MachineDrop, ATopologyTakesTheFabricsPlace) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  Document& document = founding.document;
  const std::string topology = test::source_path("scenarios/fabrics/h200-nvl-two-quads.topo.txt");
  const MachineDrop drop = drop_machine(document.results()->study.scenario(), 1, topology);
  ASSERT_EQ(drop.problem, "");
  EXPECT_EQ(drop.edit.first, "fabrics.1");
  EXPECT_EQ(drop.edit.second, R"({"id": "quad", "import": {"file": ")" + topology +
                                  R"(", "like": "8xH200-NVL"}, "gpus": [0, 1, 2, 3]})");
  document.set(drop.edit.first, drop.edit.second);
  ASSERT_TRUE(test::wait_for_run(document));
  ASSERT_TRUE(document.is_current());
  const auto& study = document.results()->study;
  EXPECT_EQ(study.fabric(study.cases()[5]).links().size(),
            study.fabric(study.cases()[10]).links().size());  // across-quads, of the same text
}

/// Pasted or dropped, the same text is the same machine.
TEST(MachineDrop, APastedTextIsKeptUnderANameOfItsContent) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  Document& document = founding.document;
  const run::Scenario& scenario = document.results()->study.scenario();
  const std::string text =
      io::read_file(test::source_path("scenarios/fabrics/h200-nvl-two-quads.topo.txt"));
  QTemporaryDir folder;
  const std::string there = folder.filePath("pasted").toStdString();
  const MachineDrop drop = paste_machine(scenario, 1, text, there);
  ASSERT_EQ(drop.problem, "");
  EXPECT_EQ(paste_machine(scenario, 1, text, there).edit, drop.edit);
  document.set(drop.edit.first, drop.edit.second);
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_TRUE(document.is_current());
  EXPECT_THAT(paste_machine(scenario, 1, "a shopping list", there).problem,
              HasSubstr("the clipboard: neither"));
  EXPECT_EQ(QDir(folder.filePath("pasted")).entryList(QDir::Files).size(), 1);
}

TEST(MachineDrop, OtherFilesAreRefusedByName) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  const run::Scenario& scenario = founding.document.results()->study.scenario();
  EXPECT_THAT(drop_machine(scenario, 0, test::source_path("LICENSE")).problem,
              HasSubstr("LICENSE: neither a scenario"));
  EXPECT_THAT(drop_machine(scenario, 0, "no-such-file").problem, HasSubstr("no-such-file"));
  EXPECT_NE(drop_machine(scenario, 0, test::source_path("tests")).problem, "");
}

}  // namespace
}  // namespace heddle::gui
