#pragma once
// The weights of ZeRO stage 3 (deepspeed/runtime/zero/partition_parameters.py and
// partitioned_param_coordinator.py, 0.15.4): every tensor cut by itself, gathered for the row that
// reads it, prefetched and kept as param_cache.h says. One weight: its gather buffer becomes the
// weight. A group: one flat buffer, then a copy of each weight when it arrives, and the flat buffer
// goes. (DeepSpeed copies on its gather stream; here the compute stream does.) All of it belongs to
// the gather stream's pool and is reused only once the compute stream is past it (record_stream in
// free_param). With weights on the host, each gather first brings its shards to the GPU, where they
// stay until it is over.

#include <deque>
#include <vector>

#include "sim/parallel/strategies/param_cache.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {

class GatheredLoop : public TrainingLoop {
 protected:
  explicit GatheredLoop(const PlanInput& input);

  const DeepSpeedOptions& options() const { return options_; }
  /// Elements of this rank's shards of all weights; of those that stay whole, whole.
  std::int64_t shard() const { return shard_; }
  std::int64_t persistent() const { return persistent_; }
  void allocate_weights();
  /// The micro-batch is over: its order of reads is known from now on.
  void finish_reading();

  void before_forward(std::size_t m) override { module_hooks(m); }
  void before_backward(std::size_t m) override { module_hooks(m); }
  void before_row(std::size_t m, const model::Row& row) override;
  void after_row(std::size_t m, const model::Row& row) override;

 private:
  struct Weight {
    schedule::BufferId storage;
    std::size_t group = kNoGroup;  // gather under way
  };
  /// A gather under way: its flat buffer until the first member is needed.
  struct Group {
    std::vector<int> members;
    schedule::BufferId shards;  // from the host
    schedule::BufferId flat;
    schedule::EventId done;
  };
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);

  ParamCache make_cache();
  std::vector<int> make_trace() const;
  std::vector<int> sharded_reads(std::size_t m, const model::Row& row) const;
  void module_hooks(std::size_t m);
  void gather(std::vector<int> members);
  void arrive(int weight);
  void unpack(Group& group);
  void limit_fetches(schedule::EventId done);
  Weight& weight(int index) { return weights_[static_cast<std::size_t>(index)]; }
  std::int64_t numel(int weight) const { return numel_[static_cast<std::size_t>(weight)]; }

  DeepSpeedOptions options_;
  // Filled by make_cache(), so declared before cache_.
  std::vector<std::vector<int>> weight_of_;  // by module, by param: index of a sharded weight or -1
  std::vector<std::int64_t> numel_;          // by sharded weight
  std::int64_t persistent_ = 0;
  std::int64_t shard_ = 0;

  ParamCache cache_;
  std::vector<Weight> weights_;
  std::vector<Group> groups_;
  std::deque<schedule::EventId> fetches_;
  bool traced_ = false;
};

}  // namespace heddle::parallel
