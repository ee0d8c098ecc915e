#pragma once
// What both versions of FSDP do alike: units with shards in the master type, gathers and reductions
// in their own types, the way from a unit's full gradient to its sharded one, the optimizer step on
// the shards.
//
// Several micro-batches: each one reduces and adds to the sharded gradient (no no_sync, as
// torchtitan, torchtune and Accelerate's sync_each_batch run it: with no_sync whole gradients would
// stay).

#include <cstdint>
#include <vector>

#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/fsdp.h"
#include "sim/parallel/strategies/fsdp_groups.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {

class FsdpLoop : public TrainingLoop {
 protected:
  static constexpr std::size_t kNoUnit = static_cast<std::size_t>(-1);

  FsdpLoop(const PlanInput& input, FsdpWrap wrap);

  /// Elements of one rank's shard of a unit, padding included; and of what is reduced of it.
  virtual std::int64_t shard_elements_of(std::size_t unit) const = 0;
  virtual std::int64_t reduced_elements_of(std::size_t unit) const = 0;

  bool weights_arrive_cast() const override { return types_.gather == 2; }
  std::int64_t gradient_bytes() const override { return types_.gather; }
  void begin_step(int step) override { first_step_ = step == 0; }
  void begin_forward() override;
  void on_gradient(ParamRef ref, schedule::BufferId gradient) override;
  void optimizer_step(int step) override;
  void zero_gradients() override;

  const FsdpOptions& options() const { return options_; }
  const FsdpTypes& types() const { return types_; }
  const std::vector<FsdpUnit>& units() const { return units_; }
  std::size_t unit_of(std::size_t module) const { return unit_of_module_[module]; }
  /// Backward begins with the loss, so with the unit that holds it, and walks the layers down.
  std::size_t first_in_backward() const { return unit_of(module_count() - 1); }
  /// The unit whose backward begins next, or kNoUnit.
  std::size_t next_in_backward(std::size_t unit) const;
  /// Parts that a unit is cut into: the ranks of a shard group, or 1 if it is not sharded.
  int shards() const { return groups_.shards; }
  bool has_replicas() const { return groups_.replicas > 1; }
  /// Where gathers and reduce-scatters run.
  schedule::CommunicatorId shard_communicator() {
    return has_replicas() ? kShardCommunicator : builder().world();
  }
  /// Where a reduced shard is ready and worked on: replicas all-reduce it on a stream of their own.
  schedule::StreamKind reduced_stream() const {
    return has_replicas() ? schedule::StreamKind::kReplicate : schedule::StreamKind::kReduce;
  }
  bool first_step() const { return first_step_; }
  /// The whole unit as gathered, and one rank's shard at `element` bytes each.
  Bytes unit_bytes(std::size_t unit) const;
  Bytes shard_bytes(std::size_t unit, std::int64_t element) const;
  /// What goes into a unit's reduction, whole, and what comes out of it.
  Bytes reduced_bytes(std::size_t unit) const;
  Bytes reduced_shard(std::size_t unit, std::int64_t element) const;

  /// Frees what `user` may still work with. Version 2 keeps references until it does not; version 1
  /// calls record_stream().
  virtual void release(schedule::BufferId& buffer, schedule::StreamKind /*user*/) {
    builder().free(buffer);
  }

  void allocate_shards();
  /// Sets what the optimizer works on; the derived class knows its tensors.
  void set_optimizer_tensors(std::vector<OptimizerTensor> tensors);
  void free_full_gradients(std::size_t unit);
  /// On the reduce stream, after what was issued to it: reduce-scatter; then, on reduced_stream(),
  /// all-reduce among replicas, cast to the master type, added to the sharded gradient that there
  /// may be.
  void reduce_to_shard(std::size_t unit);
  /// The reduced shard in the reduce type, once it was cast.
  virtual void drop_reduced(schedule::BufferId& output) { builder().free(output); }
  /// The unit's gradient in the reduce type, whole and already summed: it becomes the shard.
  void keep_as_shard(std::size_t unit, schedule::BufferId gradient);
  void drop_sharded_gradient(std::size_t unit) { builder().free(sharded_gradients_[unit]); }
  /// The compute stream waits for every gradient.
  void join_reductions();
  /// The last reduce-scatter (or all-reduce of an unsharded unit) is done.
  schedule::EventId last_reduction() const { return last_reduction_; }
  void set_last_reduction(schedule::EventId event) { last_reduction_ = event; }

 private:
  schedule::BufferId cast_to_master(std::size_t unit, schedule::BufferId output);

  FsdpOptions options_;
  FsdpTypes types_;
  FsdpGroups groups_;
  std::vector<FsdpUnit> units_;
  std::vector<std::size_t> unit_of_module_;
  std::vector<std::vector<schedule::BufferId>> full_gradients_;  // by unit
  std::vector<schedule::BufferId> sharded_gradients_;            // by unit
  schedule::EventId last_reduction_;
  OptimizerWork optimizer_;
  bool first_step_ = true;
};

}  // namespace heddle::parallel
