#include "gui/models/what_if.h"

#include <gtest/gtest.h>

#include "gui/models/case_view.h"
#include "gui/models/document.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

/// The wire that FSDP across the quads waits for, slowed to half: the step stretches; undone: it is
/// what it was.
TEST(WhatIf, ASlowWireStretchesTheStepAndIsUndone) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  Document& document = founding.document;
  ASSERT_TRUE(document.choose("across-quads/fsdp"));
  const auto view = document.view(document.chosen());
  const Duration before = view->result().step_time;
  const std::string wire = wire_name(view->fabric(), busiest_links(*view, 1).front());
  const auto [path, value] = edit_with(document.results()->study.scenario(), view->id().fabric,
                                       {fabric::LinkCapacity{wire, kPpb / 2}, ""});
  EXPECT_EQ(path, "fabrics.2.changes");
  EXPECT_EQ(value, R"([{"link": "cpu0 - cpu1", "capacity": "50 %"}])");
  document.set(path, value);
  ASSERT_TRUE(test::wait_for_run(document));
  ASSERT_TRUE(document.is_current());
  const auto& slowed = document.results()->cases[document.chosen()];
  EXPECT_GT(slowed.step_time.ps, before.ps * 3 / 2);
  // A second change keeps the first.
  const auto more = edit_with(document.results()->study.scenario(), view->id().fabric,
                              {fabric::LinkDown{"gpu0 - gpu1"}, ""});
  EXPECT_EQ(
      more.second,
      R"([{"link": "cpu0 - cpu1", "capacity": "50 %"}, {"link": "gpu0 - gpu1", "state": "down"}])");
  document.undo();
  ASSERT_TRUE(test::wait_for_run(document));
  EXPECT_EQ(document.results()->cases[document.chosen()].step_time, before);
}

/// FSDP moved back from across the quads into one of them is as fast as the scenario's own case
/// there.
TEST(WhatIf, MovingTheJobIntoOneQuadIsThatQuadsCase) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  Document& document = founding.document;
  ASSERT_TRUE(document.choose("quad/fsdp"));
  const Duration inside = document.results()->cases[document.chosen()].step_time;
  ASSERT_TRUE(document.choose("across-quads/fsdp"));
  for (const int rank : {2, 3}) {
    const run::Study& study = document.results()->study;
    const run::CaseId& id = study.cases()[document.chosen()];
    const auto gpu = study.fabric(id).gpus()[static_cast<std::size_t>(rank)];
    const auto [path, value] = edit_moving(study, id, rank, gpu);
    document.set(path, value);
    ASSERT_TRUE(test::wait_for_run(document));
  }
  EXPECT_EQ(*document.history().find("fabrics.2.gpus"), "[0, 1, 2, 3]");
  EXPECT_EQ(document.results()->cases[document.chosen()].step_time, inside);
}

TEST(WhatIf, MovingOntoAnotherRankChangesPlaces) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  const run::Study& study = founding.document.results()->study;
  const run::CaseId& id = study.cases().back();  // GPUs 0, 1, 4, 5
  EXPECT_EQ(edit_moving(study, id, 0, study.members(id)[3]).second, "[5, 1, 4, 0]");
}

}  // namespace
}  // namespace heddle::gui
