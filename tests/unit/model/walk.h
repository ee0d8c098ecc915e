#pragma once
// Walks a module's rows as a training loop does and counts the bytes of its tensors.

#include <algorithm>
#include <string>
#include <vector>

#include "sim/model/model_graph.h"

namespace heddle::model::testing {

class Walk {
 public:
  explicit Walk(const Module& module) : module_(module), alive_(module.saved.size(), false) {
    run(module.forward);
    after_forward_ = bytes();
    free(Held::kForward);
    free(Held::kOutput);
    before_backward_ = bytes();
    run(module.backward);
    leaked_ = bytes();
  }

  /// Saved tensors when the module's forward is done; when the whole model's is.
  std::int64_t after_forward() const { return after_forward_; }
  std::int64_t before_backward() const { return before_backward_; }
  std::int64_t leaked() const { return leaked_; }
  /// Saved tensors, and those with transients, at rows of that name, at most.
  std::int64_t saved_at(const std::string& row) const { return most(row, &Moment::saved); }
  std::int64_t alive_at(const std::string& row) const { return most(row, &Moment::alive); }
  /// What goes wrong: tensors made twice or dropped twice.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  struct Moment {
    std::string row;
    std::int64_t saved;
    std::int64_t alive;
  };

  void run(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      for (const int s : row.saves) set(s, true, row.name);
      moments_.push_back({row.name, bytes(), bytes() + row.transient().value});
      for (const int s : row.drops) set(s, false, row.name);
    }
  }
  void set(int slot, bool alive, const std::string& row) {
    const auto i = static_cast<std::size_t>(slot);
    if (alive_[i] == alive) faults_.push_back(module_.saved[i].name + " at " + row);
    alive_[i] = alive;
  }
  void free(Held held) {
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (module_.saved[i].held == held) alive_[i] = false;
    }
  }
  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (alive_[i]) sum += module_.saved[i].bytes.value;
    }
    return sum;
  }
  std::int64_t most(const std::string& row, std::int64_t Moment::*what) const {
    std::int64_t best = -1;
    for (const Moment& m : moments_) {
      if (m.row == row) best = std::max(best, m.*what);
    }
    return best;
  }

  const Module& module_;
  std::vector<bool> alive_;
  std::vector<Moment> moments_;
  std::vector<std::string> faults_;
  std::int64_t after_forward_ = 0;
  std::int64_t before_backward_ = 0;
  std::int64_t leaked_ = 0;
};

}  // namespace heddle::model::testing
