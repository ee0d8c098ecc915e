#include "gui/models/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gui/models/document.h"
#include "gui/models/result_table.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Comparison, OfAnAnswerWithItselfIsZero) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  const Results& a = *founding.document.results();
  const Comparison same = compare(a, a);
  ASSERT_EQ(same.both.size(), a.cases.size());
  for (const CaseDifference& d : same.both) {
    EXPECT_EQ(d.step, Duration{});
    EXPECT_EQ(d.needed, Bytes{});
  }
  EXPECT_THAT(same.only_a, IsEmpty());
  EXPECT_THAT(same.only_now, IsEmpty());
}

TEST(Comparison, IsTheOppositeTheOtherWayRoundAndListsWhatIsMissing) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  Document& document = founding.document;
  const ResultsPtr a = document.results();
  document.set("strategies", R"(["ddp", "zero1", {"id": "new", "strategy": "zero2"}])");
  document.set("training.micro_batch", "2");
  ASSERT_TRUE(test::wait_for_run(document));
  const Comparison there = compare(*document.results(), *a);
  const Comparison back = compare(*a, *document.results());
  ASSERT_EQ(there.both.size(), 2U);
  for (std::size_t i = 0; i < there.both.size(); ++i) {
    EXPECT_GT(there.both[i].step, Duration{});
    EXPECT_EQ(there.both[i].step, Duration{} - back.both[i].step);
    EXPECT_EQ(there.both[i].needed, Bytes{} - back.both[i].needed);
  }
  EXPECT_THAT(there.only_now, ElementsAre("a100/new"));
  EXPECT_THAT(there.only_a, ElementsAre("a100/zero2", "a100/zero3", "a100/fsdp"));
}

TEST(Comparison, TheTableShowsItBesideWhatIsPinned) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  ResultTable table;
  table.set_results(founding.document.results());
  const int columns = table.columnCount();
  table.set_results(founding.document.results(), founding.document.results());
  ASSERT_EQ(table.columnCount(), columns + 2);
  const int step = table.column_of("step - A");
  EXPECT_EQ(table.index(1, step).data().toString(), "0");
  EXPECT_EQ(table.index(1, table.column_of("needed - A")).data().toString(), "0");
}

TEST(Comparison, SignsAreWritten) {
  EXPECT_EQ(signed_text(12.345), "+12.3");
  EXPECT_EQ(signed_text(-0.05), "-0.0500");
  EXPECT_EQ(signed_text(0), "0");
}

}  // namespace
}  // namespace heddle::gui
