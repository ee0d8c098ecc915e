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

}  // namespace
}  // namespace heddle::gui
