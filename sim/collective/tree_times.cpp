#include "sim/collective/tree_times.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/check.h"

namespace heddle::collective {
namespace {

/// Parents before children.
std::vector<std::size_t> from_the_root(const BinaryTree& tree) {
  std::vector<std::size_t> order;
  order.reserve(tree.size());
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree[v].parent < 0) order.push_back(v);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const int child : tree[order[i]].children) {
      if (child >= 0) order.push_back(static_cast<std::size_t>(child));
    }
  }
  HEDDLE_CHECK(order.size() == tree.size(), "not a tree");
  return order;
}

class TreeWalk {
 public:
  TreeWalk(const RankTimes& arrivals, const BinaryTree& tree, const TreePass& pass)
      : arrivals_(arrivals),
        tree_(tree),
        pass_(pass),
        order_(from_the_root(tree)),
        up_(tree.size()),
        down_(tree.size()),
        here_(tree.size()) {}

  void chunk();
  double end(std::size_t rank) const;

 private:
  const RankTimes& arrivals_;
  const BinaryTree& tree_;
  const TreePass& pass_;
  std::vector<std::size_t> order_;
  RankTimes up_;                             // when the link to the parent is free
  std::vector<std::array<double, 2>> down_;  // when the links to the children are
  RankTimes here_;                           // the chunk: the part sum, then the whole
};

void TreeWalk::chunk() {
  here_ = arrivals_;
  for (std::size_t i = order_.size(); i-- > 1;) {
    const std::size_t v = order_[i];
    up_[v] = std::max(up_[v], here_[v]) + pass_.send;
    double& above = here_[static_cast<std::size_t>(tree_[v].parent)];
    above = std::max(above, up_[v] + pass_.latency);
  }
  for (const std::size_t v : order_) {
    for (std::size_t k = 0; k < 2; ++k) {
      const int child = tree_[v].children[k];
      if (child < 0) continue;
      down_[v][k] = std::max(down_[v][k], here_[v]) + pass_.send;
      here_[static_cast<std::size_t>(child)] = down_[v][k] + pass_.latency;
    }
  }
}

double TreeWalk::end(std::size_t rank) const {
  return std::max({here_[rank], up_[rank], down_[rank][0], down_[rank][1]});
}

}  // namespace

void pass_tree(RankTimes& times, const BinaryTree& tree, const TreePass& pass) {
  HEDDLE_CHECK(times.size() == tree.size() && pass.chunks > 0, "a place for every rank");
  if (times.size() == 1) return;
  const RankTimes arrivals = times;
  TreeWalk walk(arrivals, tree, pass);
  for (int k = 0; k < pass.chunks; ++k) walk.chunk();
  for (std::size_t v = 0; v < times.size(); ++v) times[v] = walk.end(v);
}

void pass_double_tree(RankTimes& times, const TreePass& pass) {
  const auto ranks = static_cast<int>(times.size());
  RankTimes other = times;
  pass_tree(times, first_tree(ranks), {pass.chunks - pass.chunks / 2, pass.send, pass.latency});
  if (pass.chunks < 2) return;
  pass_tree(other, second_tree(ranks), {pass.chunks / 2, pass.send, pass.latency});
  for (std::size_t v = 0; v < times.size(); ++v) times[v] = std::max(times[v], other[v]);
}

}  // namespace heddle::collective
