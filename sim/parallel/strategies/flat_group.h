#pragma once
// Where the trained tensors lie in DeepSpeed's flat group (deepspeed/runtime/zero/stage_1_and_2.py,
// 0.15.4): one after the other in the model's order, padded to 2N elements in all and cut into N
// equal partitions. Frozen tensors stay outside. Round robin deals tensor i to partition i % N
// first, so that gradients that become ready one after the other belong to different ranks.

#include <cstdint>
#include <vector>

#include "sim/parallel/training_loop.h"

namespace heddle::parallel {

class FlatGroup {
 public:
  FlatGroup(const model::ModelGraph& graph, int ranks, bool round_robin);

  /// The trained tensors in the model's order.
  const std::vector<ParamRef>& tensors() const { return tensors_; }
  std::int64_t elements() const { return elements_; }    // without padding
  std::int64_t partition() const { return partition_; }  // of one rank
  std::int64_t largest() const { return largest_; }      // tensor
  std::int64_t frozen() const { return frozen_; }        // elements outside the group
  /// The ranks that own some of that tensor.
  int first_owner(ParamRef ref) const;
  int last_owner(ParamRef ref) const;

 private:
  struct Place {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  void place(const model::ModelGraph& graph, int ranks, bool round_robin);

  std::vector<ParamRef> tensors_;
  std::vector<std::vector<Place>> places_;  // by module, by param
  std::int64_t elements_ = 0;
  std::int64_t partition_ = 0;
  std::int64_t largest_ = 0;
  std::int64_t frozen_ = 0;
};

}  // namespace heddle::parallel
