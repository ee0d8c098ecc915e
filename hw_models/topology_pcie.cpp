#include "hw_models/topology_pcie.h"

#include <algorithm>
#include <set>

#include "hw_models/groups.h"

namespace heddle::hw_models {
namespace {

using io::TopoKind;

class SwitchFinder {
 public:
  SwitchFinder(const io::TopoMatrix& matrix, const NodeModel& like, Wiring& wiring)
      : matrix_(matrix), alike_(switches_in_order(like, wiring.socket)), wiring_(wiring) {
    const std::size_t count = matrix_.gpus.size();
    leaf_ = connected_groups(count, [this](auto i, auto j) { return share_leaf(i, j); });
    tree_ = connected_groups(
        count, [this](auto i, auto j) { return share_leaf(i, j) || kind(i, j) == TopoKind::kPxb; });
  }

  void find() {
    add_leaves();
    for (int tree = 0; tree < group_count(tree_); ++tree) add_upper(tree);
  }

 private:
  TopoKind kind(std::size_t i, std::size_t j) const { return matrix_.gpus[i].to_gpus[j].kind; }

  bool share_leaf(std::size_t i, std::size_t j) const {
    const bool hidden = kind(i, j) == TopoKind::kNvlink;
    return kind(i, j) == TopoKind::kPix ||
           (hidden && alike_[i] != kNoSwitch && alike_[i] == alike_[j]);
  }

  /// A GPU that shares nothing and whose kind of node has no switches sits on a root port.
  bool behind_switch(std::size_t gpu) const {
    return alike_[gpu] != kNoSwitch || std::count(tree_.begin(), tree_.end(), tree_[gpu]) > 1;
  }

  int new_switch() {
    wiring_.upper_pcie_switch.push_back(kNoSwitch);
    return static_cast<int>(wiring_.upper_pcie_switch.size()) - 1;
  }

  void add_leaves() {
    std::vector<int> number(leaf_.size(), kNoSwitch);
    for (std::size_t i = 0; i < leaf_.size(); ++i) {
      int& mine = number[static_cast<std::size_t>(leaf_[i])];
      if (mine == kNoSwitch && behind_switch(i)) mine = new_switch();
      wiring_.pcie_switch.push_back(mine);
    }
  }

  void add_upper(int tree) {
    std::set<int> leaves;
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (tree_[i] == tree) leaves.insert(wiring_.pcie_switch[i]);
    }
    if (leaves.size() < 2) return;
    const int upper = new_switch();
    for (const int leaf : leaves) wiring_.upper_pcie_switch[static_cast<std::size_t>(leaf)] = upper;
  }

  const io::TopoMatrix& matrix_;
  std::vector<int> alike_;  // switches as the node of the same kind would have them
  std::vector<int> leaf_;   // group of GPUs on one switch
  std::vector<int> tree_;   // group of GPUs below one upper switch
  Wiring& wiring_;
};

}  // namespace

void read_pcie_switches(const io::TopoMatrix& matrix, const NodeModel& like, Wiring& wiring) {
  wiring.pcie_switch.clear();
  wiring.upper_pcie_switch.clear();
  SwitchFinder(matrix, like, wiring).find();
}

}  // namespace heddle::hw_models
