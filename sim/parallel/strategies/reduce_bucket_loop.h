#pragma once
// Stages 1 and 2 of DeepSpeed: gradients pass through a bucket on their way to the rank that owns
// them (deepspeed/runtime/zero/stage_1_and_2.py, 0.15.4).
//
// contiguous  (default) a gradient is copied into the bucket and dropped; a bucket is averaged in
//             place and ALL-reduced (use_multi_rank_bucket_allreduce: the wire carries as much as
//             DDP's), then each rank copies its own part out of it, into a partition of 2 P/N that
//             is allocated for the first one. A bucket that belongs to more than one rank is
//             flattened first, slice by slice: one more buffer of what is in it. A gradient larger
//             than the bucket is reduced where it is.
// not         gradients stay where they are; a bucket's worth is flattened (one more buffer),
//             reduced, and copied back. Those of other ranks are then dropped; with overlap at the
//             next reduction, after the host has waited for this one.
// overlap     on a stream of its own; two buckets take turns, compute waits for the reduction
// before
//             the last. Without it compute waits for each.
// One program serves all ranks: it is that of the rank whose own gradients are ready first, which
// has most in memory while activations are still there.

#include <vector>

#include "sim/parallel/strategies/flat_group.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {

class ReduceBucketLoop : public TrainingLoop {
 protected:
  ReduceBucketLoop(const PlanInput& input, bool partition_gradients);

  const FlatGroup& layout() const { return layout_; }
  const DeepSpeedOptions& options() const { return options_; }
  bool partitions_gradients() const { return partition_gradients_; }
  /// CPU offload needs the bucket.
  bool contiguous() const { return options_.contiguous_gradients || offloads(); }
  bool offloads() const { return training().offload.optimizer; }
  Bytes partition_bytes() const;

  void open_buckets();
  void close_buckets();
  /// Takes over a finished gradient; a bucket that would overflow is reduced first.
  void take(ParamRef ref, schedule::BufferId gradient);
  /// Reduces what is left. Afterwards take_own() has this rank's share.
  void finish_reduction();
  std::vector<schedule::BufferId> take_own();

 private:
  struct Pending {
    ParamRef ref;
    schedule::BufferId gradient;  // invalid once its content is in the bucket
  };
  schedule::StreamKind stream() const;
  bool needs_flat_copy() const;
  bool is_own(ParamRef ref) const { return layout_.last_owner(ref) == ranks() - 1; }
  void flush();
  void reduce(Bytes bytes);
  void keep_own(Bytes bytes);
  void copy_to_host(Bytes bytes);
  void drop_or_keep(Pending& pending);
  void wait_for_device();

  DeepSpeedOptions options_;
  FlatGroup layout_;
  bool partition_gradients_;
  std::int64_t in_bucket_ = 0;  // elements
  std::size_t current_ = 0;     // bucket being filled
  std::vector<schedule::BufferId> buckets_;
  std::vector<Pending> pending_;
  std::vector<schedule::BufferId> own_;
  std::vector<schedule::BufferId> reduced_;  // of other ranks, still alive
  schedule::EventId last_reduction_;
};

}  // namespace heddle::parallel
