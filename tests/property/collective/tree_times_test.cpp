// The sweep over a tree against its definition, by recursion.

#include "sim/collective/tree_times.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/rng.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using collective::BinaryTree;
using collective::RankTimes;
using collective::TreePass;

class TreeByDefinition {
 public:
  TreeByDefinition(const BinaryTree& tree, const TreePass& pass, const RankTimes& arrivals)
      : tree_(tree), pass_(pass), arrivals_(arrivals) {}

  double part(int v, int k) const {
    double ready = arrivals_[static_cast<std::size_t>(v)];
    for (const int child : place(v).children) {
      if (child >= 0) ready = std::max(ready, sent_up(child, k) + pass_.latency);
    }
    return ready;
  }
  double sent_up(int v, int k) const {
    if (k < 0) return 0;
    return std::max(part(v, k), sent_up(v, k - 1)) + pass_.send;
  }
  double sum(int v, int k) const {
    return place(v).parent < 0 ? part(v, k) : sent_down(v, k) + pass_.latency;
  }
  double sent_down(int to, int k) const {
    if (k < 0) return 0;
    return std::max(sum(place(to).parent, k), sent_down(to, k - 1)) + pass_.send;
  }
  double end(int v) const {
    const int last = pass_.chunks - 1;
    double end = sum(v, last);
    if (place(v).parent >= 0) end = std::max(end, sent_up(v, last));
    for (const int child : place(v).children) {
      if (child >= 0) end = std::max(end, sent_down(child, last));
    }
    return end;
  }

 private:
  const collective::TreePlace& place(int v) const { return tree_[static_cast<std::size_t>(v)]; }

  const BinaryTree& tree_;
  const TreePass& pass_;
  const RankTimes& arrivals_;
};

TEST(TreeTimes, EndWhereTheDefinitionSays) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    RankTimes arrivals(static_cast<std::size_t>(rng.uniform_int(2, 12)));
    for (double& t : arrivals) t = static_cast<double>(rng.uniform_int(0, 1'000));
    const BinaryTree tree = collective::second_tree(static_cast<int>(arrivals.size()));
    const TreePass pass{static_cast<int>(rng.uniform_int(1, 3)),
                        static_cast<double>(rng.uniform_int(0, 300)),
                        static_cast<double>(rng.uniform_int(0, 300))};
    RankTimes times = arrivals;
    collective::pass_tree(times, tree, pass);
    const TreeByDefinition plain(tree, pass, arrivals);
    for (int v = 0; v < static_cast<int>(times.size()); ++v) {
      ASSERT_EQ(times[static_cast<std::size_t>(v)], plain.end(v)) << "rank " << v;
    }
  });
}

// Four ranks, the root 0 has one child, 2, which has 1 and 3: up two edges and down two, 10 + 1
// each.
TEST(TreeTimes, OneChunkGoesUpAndDown) {
  RankTimes times(4);
  collective::pass_tree(times, collective::first_tree(4), {1, 10, 1});
  EXPECT_EQ(times, (RankTimes{32, 44, 43, 44}));
}

}  // namespace
}  // namespace heddle::test
