#include "hw_models/topology_pcie.h"

#include <algorithm>
#include <set>

#include "hw_models/groups.h"
#include "hw_models/topology_nics.h"

namespace heddle::hw_models {
namespace {

/// Positions count the GPUs, then the NICs.
class SwitchFinder {
 public:
  SwitchFinder(const ImportMatrix& matrix, const NodeModel& like, Wiring& wiring)
      : matrix_(matrix), alike_(switches_in_order(like, wiring.socket)), wiring_(wiring) {
    const std::size_t count = matrix_.gpus() + matrix_.nics();
    leaf_ = connected_groups(count, [this](auto i, auto j) { return share_leaf(i, j); });
    tree_ = connected_groups(count, [this](auto i, auto j) {
      return share_leaf(i, j) || kind(i, j) == RelationKind::kPxb;
    });
  }

  void find() {
    add_leaves();
    for (int tree = 0; tree < group_count(tree_); ++tree) add_upper(tree);
  }

 private:
  bool is_gpu(std::size_t position) const { return position < matrix_.gpus(); }

  RelationKind kind(std::size_t i, std::size_t j) const {
    if (is_gpu(i) && is_gpu(j)) return matrix_.to_gpus[i][j].kind;
    if (is_gpu(i)) return matrix_.to_nics[i][j - matrix_.gpus()].kind;
    if (is_gpu(j)) return matrix_.to_nics[j][i - matrix_.gpus()].kind;
    return RelationKind::kSys;  // two NICs: not needed, those on one switch share a GPU's
  }

  bool share_leaf(std::size_t i, std::size_t j) const {
    if (kind(i, j) == RelationKind::kPix) return true;
    if (!is_gpu(i) || !is_gpu(j)) return false;
    const bool hidden = kind(i, j) == RelationKind::kNvlink || kind(i, j) == RelationKind::kHost;
    return hidden && alike_[i] != kNoSwitch && alike_[i] == alike_[j] &&
           matrix_.to_nics[i] == matrix_.to_nics[j];
  }

  /// A device that shares nothing and whose kind of node has no switches sits on a root port.
  bool behind_switch(std::size_t position) const {
    return (is_gpu(position) && alike_[position] != kNoSwitch) ||
           std::count(tree_.begin(), tree_.end(), tree_[position]) > 1;
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
      switch_of_.push_back(mine);
      if (is_gpu(i)) {
        wiring_.pcie_switch.push_back(mine);
      } else {
        wiring_.nics[i - matrix_.gpus()].pcie_switch = mine;
      }
    }
  }

  void add_upper(int tree) {
    std::set<int> leaves;
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (tree_[i] == tree) leaves.insert(switch_of_[i]);
    }
    if (leaves.size() < 2) return;
    const int upper = new_switch();
    for (const int leaf : leaves) wiring_.upper_pcie_switch[static_cast<std::size_t>(leaf)] = upper;
  }

  const ImportMatrix& matrix_;
  std::vector<int> alike_;      // switches as the node of the same kind would have them
  std::vector<int> leaf_;       // group of devices on one switch
  std::vector<int> tree_;       // group of devices below one upper switch
  std::vector<int> switch_of_;  // of each position
  Wiring& wiring_;
};

}  // namespace

void read_pcie_switches(const ImportMatrix& matrix, const NodeModel& like, Wiring& wiring) {
  wiring.pcie_switch.clear();
  wiring.upper_pcie_switch.clear();
  wiring.nics = place_nics(matrix, like, wiring.socket);
  SwitchFinder(matrix, like, wiring).find();
}

}  // namespace heddle::hw_models
