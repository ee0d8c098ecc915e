#pragma once
// What both versions of FSDP do alike: units with fp32 shards, bf16 gathers and reductions, the way
// from a unit's full gradient to its sharded fp32 gradient, and the optimizer step on the shards.

#include <cstdint>
#include <vector>

#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/fsdp.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {

class FsdpLoop : public TrainingLoop {
 protected:
  static constexpr std::int64_t kMasterBytes = 4;  // shards, their gradients and moments are fp32

  FsdpLoop(const PlanInput& input, FsdpWrap wrap);

  /// Elements of one rank's shard of a unit, padding included.
  virtual std::int64_t shard_elements_of(std::size_t unit) const = 0;

  bool weights_arrive_cast() const override { return gather_bytes_ == 2; }
  std::int64_t gradient_bytes() const override { return gather_bytes_; }
  void on_gradient(ParamRef ref, schedule::BufferId gradient) override;
  void optimizer_step(int step) override;
  void zero_gradients() override;

  const std::vector<FsdpUnit>& units() const { return units_; }
  std::size_t unit_of(std::size_t module) const { return unit_of_module_[module]; }
  std::int64_t gather_bytes() const { return gather_bytes_; }  // per gathered element
  schedule::DType gather_dtype() const { return fsdp_gather_dtype(gather_bytes_); }
  /// The whole unit as gathered, and one rank's shard at `element` bytes each.
  Bytes unit_bytes(std::size_t unit) const;
  Bytes shard_bytes(std::size_t unit, std::int64_t element) const;

  void allocate_shards();
  /// Sets what the optimizer works on; the derived class knows its tensors.
  void set_optimizer_tensors(std::vector<OptimizerTensor> tensors);
  void free_full_gradients(std::size_t unit);
  /// On the reduce stream, after what was issued to it: reduce-scatter, then cast to fp32.
  void reduce_to_shard(std::size_t unit);
  /// The last reduce-scatter is done.
  schedule::EventId last_reduction() const { return last_reduction_; }

 private:
  schedule::BufferId cast_to_fp32(std::size_t unit, schedule::BufferId output);

  std::vector<FsdpUnit> units_;
  std::vector<std::size_t> unit_of_module_;
  std::int64_t gather_bytes_;
  std::vector<std::vector<schedule::BufferId>> full_gradients_;  // by unit
  std::vector<schedule::BufferId> sharded_gradients_;            // by unit
  schedule::EventId last_reduction_;
  OptimizerWork optimizer_;
};

}  // namespace heddle::parallel
