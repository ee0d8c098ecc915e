// Searching operations, and what belongs to one.

#include "gui/models/follow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gui/models/byte_text.h"
#include "gui/models/document.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

class Following : public testing::Test {
 protected:
  std::shared_ptr<const CaseView> show(const std::string& id) {
    EXPECT_TRUE(founding_.document.choose(id) || founding_.document.chosen() == 0);
    return founding_.document.view(founding_.document.chosen());
  }

  test::FoundingDocument founding_{"mistral-7b-4xh200.json"};
};

/// Mistral-7B has 32 layers with one q_proj each; two steps are recorded at least.
TEST_F(Following, FindsEveryOperationOfAName) {
  const auto view = show("across-quads/fsdp");
  const OpSearch search(*view, "FORWARD q_proj");
  const int steps = view->result().schedule->steps;
  EXPECT_EQ(search.found().size(), static_cast<std::size_t>(32 * steps));
  const OpSearch one(*view, "forward layer 3, q_proj");
  EXPECT_EQ(one.found().size(), static_cast<std::size_t>(steps));
  EXPECT_TRUE(OpSearch(*view, "").found().empty());
  EXPECT_TRUE(OpSearch(*view, "no such operation").found().empty());
}

TEST_F(Following, NextAndPreviousGoAround) {
  const auto view = show("across-quads/fsdp");
  const OpSearch search(*view, "lm_head forward");
  const std::size_t count = search.found().size();
  ASSERT_GE(count, 2U);
  const auto start = [&](std::size_t i) {
    return static_cast<double>(search.found()[i].box.start);
  };
  EXPECT_EQ(search.next(-1, true), 0U);
  EXPECT_EQ(search.next(start(0), true), 1U);
  EXPECT_EQ(search.next(start(count - 1), true), 0U);
  EXPECT_EQ(search.next(start(1), false), 0U);
  EXPECT_EQ(search.next(start(0), false), count - 1);
}

/// Across the quads an all-gather runs through the host: its busiest link is the one between the
/// sockets, as in the founding story, and gathered parameters are alive.
TEST_F(Following, ACollectiveHasItsLinksAndBuffers) {
  const auto view = show("across-quads/fsdp");
  const OpSearch search(*view, "all-gather");
  ASSERT_FALSE(search.found().empty());
  const Followed followed = follow(*view, search.found()[search.found().size() / 2]);
  ASSERT_FALSE(followed.links.empty());
  EXPECT_TRUE(std::is_sorted(followed.links.begin(), followed.links.end(),
                             [](const auto& a, const auto& b) { return a.share > b.share; }));
  const auto& link = view->fabric().link(followed.links.front().link);
  EXPECT_EQ(view->fabric().device(link.from).kind, fabric::DeviceKind::kCpu);
  EXPECT_EQ(view->fabric().device(link.to).kind, fabric::DeviceKind::kCpu);
  EXPECT_FALSE(followed.buffers.empty());
  EXPECT_TRUE(followed.peers.empty());  // four ranks that do the same are one lane
}

/// One slow GPU makes classes of ranks: the same collective is found in the lanes of each.
TEST_F(Following, PeersAreTheSameCollectiveOnOtherRanks) {
  founding_.document.set("fabrics.0.changes", R"([{"gpu": "gpu0", "speed": "50 %"}])");
  ASSERT_TRUE(test::wait_for_run(founding_.document));
  ASSERT_TRUE(founding_.document.is_current());
  const auto view = show("nvswitch/ddp");
  ASSERT_GT(view->result().run.ranks.size(), 1U);
  const OpSearch search(*view, "all-reduce");
  ASSERT_FALSE(search.found().empty());
  const LaneMark& one = search.found().front();
  const Followed followed = follow(*view, one);
  ASSERT_EQ(followed.peers.size(), view->result().run.ranks.size() - 1);
  for (const LaneMark& peer : followed.peers) {
    EXPECT_NE(view->lanes()[peer.lane].rank, view->lanes()[one.lane].rank);
    EXPECT_EQ(peer.box.end, one.box.end);  // a collective ends for all at once
  }
}

TEST_F(Following, AKernelHasBuffersOnly) {
  const auto view = show("nvswitch/ddp");
  const OpSearch search(*view, "q_proj");
  ASSERT_FALSE(search.found().empty());
  const Followed followed = follow(*view, search.found().front());
  EXPECT_TRUE(followed.peers.empty());
  EXPECT_TRUE(followed.links.empty());
  EXPECT_FALSE(followed.buffers.empty());
}

TEST(ByteText, SwitchesBetweenPowersOf1000And1024) {
  EXPECT_EQ(byte_text({85'899'345'920}), "85.90 GB");
  EXPECT_STREQ(byte_scale(2e9).name, "GB");
  set_byte_unit(ByteUnit::kBinary);
  EXPECT_EQ(byte_text({85'899'345'920}), "80.00 GiB");
  EXPECT_STREQ(byte_scale(2e9).name, "GiB");
  EXPECT_EQ(byte_scale(2e9).bytes, 1073741824.0);
  set_byte_unit(ByteUnit::kDecimal);
}

}  // namespace
}  // namespace heddle::gui
