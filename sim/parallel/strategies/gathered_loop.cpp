#include "sim/parallel/strategies/gathered_loop.h"

#include <utility>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/sharding.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

namespace {

constexpr std::size_t kFetchesInFlight = 2;  // max_ongoing_fetch_events

// Host time of DeepSpeed's Python hooks, in dispatches of an eager operator. Measured on the host
// alone (deepspeed 0.15.4, Mistral layers: 14 torch modules, 7 sharded and 2 persistent weights
// that are gathered again in backward): +612 per layer in forward, +719 in backward; README.md of
// this module has the method, the split and the spread.
constexpr int kModuleHookDispatches = 20;  // fetch and release around one torch module
constexpr int kGatherDispatches = 47;      // per weight gathered and released

}  // namespace

GatheredLoop::GatheredLoop(const PlanInput& input)
    : TrainingLoop(input),
      options_(input.options.deepspeed),
      cache_(make_cache()),
      weights_(numel_.size()) {}

ParamCache GatheredLoop::make_cache() {
  for (std::size_t m = 0; m < module_count(); ++m) {
    weight_of_.emplace_back();
    for (const model::ParamTensor& p : module(m).params) {
      const std::int64_t elements = p.numel();
      const bool persists = elements <= options_.param_persistence_threshold;
      persistent_ += persists ? elements : 0;
      shard_ += shard_elements(elements, ranks());
      weight_of_.back().push_back(persists ? -1 : static_cast<int>(numel_.size()));
      if (!persists) numel_.push_back(elements);
    }
  }
  return ParamCache(
      numel_, make_trace(),
      {options_.prefetch_bucket_size, options_.max_live_parameters, options_.max_reuse_distance});
}

std::vector<int> GatheredLoop::make_trace() const {
  std::vector<int> trace;
  const auto add = [&](std::size_t m, const std::vector<model::Row>& rows) {
    for (const model::Row& row : rows) {
      for (const int weight : sharded_reads(m, row)) trace.push_back(weight);
    }
  };
  for (std::size_t m = 0; m < module_count(); ++m) add(m, module(m).forward);
  for (std::size_t m = module_count(); m-- > 0;) add(m, module(m).backward);
  return trace;
}

std::vector<int> GatheredLoop::sharded_reads(std::size_t m, const model::Row& row) const {
  std::vector<int> weights;
  for (const int p : row.reads) {
    const int weight = weight_of_[m][static_cast<std::size_t>(p)];
    if (weight >= 0) weights.push_back(weight);
  }
  return weights;
}

void GatheredLoop::allocate_weights() {
  if (!training().offload.parameters) {
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * shard_}, "flat weight shard");
  }
  builder().alloc(MemoryCategory::kParameters, {kLowBytes * persistent_}, "persistent weights");
}

void GatheredLoop::finish_reading() {
  fetches_.clear();
  groups_.clear();
  cache_.begin_step();
  traced_ = true;
}

/// Modules without weights run the hooks too, and each one prefetches.
void GatheredLoop::module_hooks(std::size_t m) {
  builder().host_work(kModuleHookDispatches * module(m).submodules, "module hooks");
}

void GatheredLoop::before_row(std::size_t m, const model::Row& row) {
  const std::vector<int> reads = sharded_reads(m, row);
  std::vector<int> missing;  // fetched together
  for (const int w : reads) {
    if (!cache_.must_fetch(w)) continue;
    cache_.mark_present(w);
    missing.push_back(w);
  }
  gather(std::move(missing));
  for (const int w : reads) {
    arrive(w);
    cache_.advance();
    if (traced_) gather(cache_.prefetch());
  }
}

void GatheredLoop::after_row(std::size_t m, const model::Row& row) {
  for (const int w : sharded_reads(m, row)) {
    if (cache_.release(w, traced_)) builder().free_after(weight(w).storage, StreamKind::kCompute);
  }
}

void GatheredLoop::gather(std::vector<int> members) {
  if (members.empty()) return;
  std::int64_t own = 0;
  for (const int w : members) own += shard_elements(numel(w), ranks());
  for (std::size_t m = 0; m < members.size(); ++m) {
    builder().host_work(kGatherDispatches, "gather weights");
  }
  Group group{std::move(members), {}, {}, {}};
  const Bytes bytes{kLowBytes * own * ranks()};
  group.flat = builder().alloc(MemoryCategory::kGatheredParameters, bytes, "gather buffer",
                               StreamKind::kGather);
  if (training().offload.parameters) {
    group.shards = builder().alloc(MemoryCategory::kGatheredParameters, {kLowBytes * own},
                                   "weight shard from the host", StreamKind::kGather);
  }
  group.done = collective(CollectiveKind::kAllGather, bytes, low_dtype(), StreamKind::kGather,
                          "all-gather weights");
  for (const int w : group.members) weight(w).group = groups_.size();
  groups_.push_back(std::move(group));
}

/// The compute stream gets the weight; its whole group is unpacked with it.
void GatheredLoop::arrive(int index) {
  const std::size_t g = weight(index).group;
  if (g == kNoGroup) return;
  Group& group = groups_[g];
  for (const int w : group.members) weight(w).group = kNoGroup;
  limit_fetches(group.done);
  builder().wait(StreamKind::kCompute, group.done);
  builder().free(group.shards);
  if (group.members.size() == 1) {
    weight(index).storage = group.flat;
  } else {
    unpack(group);
  }
}

void GatheredLoop::unpack(Group& group) {
  for (const int w : group.members) {
    const Bytes bytes{kLowBytes * numel(w)};
    weight(w).storage = builder().alloc(MemoryCategory::kGatheredParameters, bytes,
                                        "unpacked weight", StreamKind::kGather);
    builder().compute(copy_kernel(bytes), 1, "unpack weight");
  }
  builder().free_after(group.flat, StreamKind::kCompute);
}

/// The host may be only so many gathers ahead of the GPU.
void GatheredLoop::limit_fetches(EventId done) {
  if (fetches_.size() > kFetchesInFlight) {
    builder().host_wait(fetches_.front());
    fetches_.pop_front();
  }
  fetches_.push_back(done);
}

}  // namespace heddle::parallel
