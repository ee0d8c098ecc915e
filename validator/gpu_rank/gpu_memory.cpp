#include "validator/gpu_rank/gpu_memory.h"

#include <fmt/format.h>

#include "sim/allocator/allocator_config.h"
#include "sim/base/check.h"
#include "sim/base/units_text.h"
#include "validator/device/clock.h"

namespace heddle::gpu_rank {

using allocator::BlockIndex;
using gpu::Problem;

namespace {

constexpr std::int64_t kUseNs = 10'000'000'000;
constexpr std::int64_t kNapNs = 20'000;

}  // namespace

SegmentStore::~SegmentStore() {
  for (const auto& [size, addresses] : segments_) {
    for (const gpu::Address address : addresses) gpu_.release(address);
  }
}

bool SegmentStore::reserve(Bytes bytes) {
  if (bytes > limit_ - held_) return false;
  gpu::Address address = nullptr;
  if ((refusal_ = gpu_.allocate(bytes, address))) return false;
  segments_[bytes.value].push_back(address);
  held_ += bytes;
  return true;
}

/// Which of several equal ones goes makes no difference.
void SegmentStore::release(Bytes bytes) {
  auto& addresses = segments_[bytes.value];
  HEDDLE_CHECK(!addresses.empty(), "a segment that was never taken");
  refusal_ = gpu_.release(addresses.back());
  addresses.pop_back();
  held_ -= bytes;
}

GpuMemory::GpuMemory(gpu::Gpu& gpu, const schedule::Schedule& schedule, const Streams& streams,
                     Allocator kind, Bytes limit)
    : gpu_(gpu),
      schedule_(schedule),
      streams_(streams),
      kind_(kind),
      limit_(limit),
      events_(gpu, false),
      store_(gpu, limit) {
  reset();
}

Problem GpuMemory::reset() {
  Problem problem;
  for (const auto& [id, address] : addresses_) {
    if (auto failed = gpu_.release(address)) problem = std::move(failed);
  }
  addresses_.clear();
  for (auto& queue : uses_) {
    for (const Use& use : queue) events_.give_back(use.done);
    queue.clear();
  }
  if (allocator_) {
    for (const auto& [id, block] : blocks_) allocator_->free(block);
    for (const auto& [block, uses] : uses_left_) allocator_->free(block);
    allocator_->empty_cache();
  }
  uses_left_.clear();
  blocks_.clear();
  count_ = {};
  allocator_ = std::make_unique<allocator::CachingAllocator>(allocator::AllocatorConfig{}, store_);
  return problem;
}

template <typename Visit>
Problem GpuMemory::for_each_use(const schedule::Buffer& buffer, Visit visit) const {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const bool uses = (buffer.used_by >> s & 1) != 0;
    if (!uses || s == static_cast<std::size_t>(buffer.stream)) continue;
    if (auto problem = visit(s)) return problem;
  }
  return std::nullopt;
}

void GpuMemory::add(const schedule::Buffer& buffer, std::int64_t sign) {
  count_.allocated[static_cast<std::size_t>(buffer.category)].value += sign * buffer.bytes.value;
}

Problem GpuMemory::allocate(schedule::BufferId id) {
  const schedule::Buffer& buffer = schedule_.buffer(id);
  Problem problem;
  if (kind_ == Allocator::kAsync) {
    HEDDLE_CHECK(!addresses_.contains(id.value), "a buffer that is allocated already");
    gpu::Address address = nullptr;
    problem = allocate_async(buffer, address);
    if (!problem) addresses_.emplace(id.value, address);
  } else {
    HEDDLE_CHECK(!blocks_.contains(id.value), "a buffer that is allocated already");
    BlockIndex block = allocator::kNoBlock;
    problem = take_block(buffer, block);
    if (!problem) blocks_.emplace(id.value, block);
  }
  if (!problem) add(buffer, 1);
  return problem;
}

Problem GpuMemory::free(schedule::BufferId id) {
  const schedule::Buffer& buffer = schedule_.buffer(id);
  add(buffer, -1);
  if (kind_ == Allocator::kAsync) {
    const auto found = addresses_.find(id.value);
    HEDDLE_CHECK(found != addresses_.end(), "a buffer that is not allocated");
    const gpu::Address address = found->second;
    addresses_.erase(found);
    return free_async(buffer, address);
  }
  const auto found = blocks_.find(id.value);
  HEDDLE_CHECK(found != blocks_.end(), "a buffer that is not allocated");
  const BlockIndex block = found->second;
  blocks_.erase(found);
  return free_block(buffer, block);
}

Problem GpuMemory::allocate_async(const schedule::Buffer& buffer, gpu::Address& address) {
  if (count_.total() + buffer.bytes > limit_) {
    return device::Failure{
        device::FailureKind::kOutOfMemory,
        fmt::format("{} needed, {} free of {}", format_bytes(buffer.bytes),
                    format_bytes(limit_ - count_.total()), format_bytes(limit_))};
  }
  return gpu_.allocate_async(buffer.bytes, stream_of(buffer), address);
}

/// Until nothing is in use by other streams, or for as long as a kernel may take.
Problem GpuMemory::await_uses() {
  const device::Clock& clock = device::steady_clock();
  const std::int64_t end = clock.now_ns() + kUseNs;
  while (!uses_left_.empty() && clock.now_ns() < end) {
    if (auto problem = collect()) return problem;
    clock.sleep_ns(kNapNs);
  }
  return std::nullopt;
}

/// As PyTorch, waits for blocks in use before it gives up. What the GPU itself said is the reason,
/// if it was asked.
Problem GpuMemory::take_block(const schedule::Buffer& buffer, BlockIndex& block) {
  if (auto problem = collect()) return problem;
  const auto stream = static_cast<std::uint16_t>(buffer.stream);
  block = allocator_->allocate(buffer.bytes, stream, SimTime{});
  if (block == allocator::kNoBlock && !uses_left_.empty()) {
    if (auto problem = await_uses()) return problem;
    block = allocator_->allocate(buffer.bytes, stream, SimTime{});
  }
  if (block != allocator::kNoBlock) return std::nullopt;
  if (store_.refusal()) return store_.refusal();
  return device::Failure{device::FailureKind::kOutOfMemory,
                         fmt::format("{} needed, {} free of {}", format_bytes(buffer.bytes),
                                     format_bytes(store_.left()), format_bytes(limit_))};
}

Problem GpuMemory::free_block(const schedule::Buffer& buffer, BlockIndex block) {
  int uses = 0;
  const Problem problem = for_each_use(buffer, [&](std::size_t s) -> Problem {
    Use use{nullptr, block};
    if (auto failed = events_.take(use.done)) return failed;
    uses_[s].push_back(use);
    ++uses;
    return gpu_.record(use.done, streams_[s]);
  });
  if (uses > 0) {
    uses_left_[block] = uses;
  } else {
    allocator_->free(block);
  }
  return problem;
}

/// Its own stream waits for the others, then gives it back.
Problem GpuMemory::free_async(const schedule::Buffer& buffer, gpu::Address address) {
  const Problem problem = for_each_use(buffer, [&](std::size_t s) -> Problem {
    gpu::Event done = nullptr;
    if (auto failed = events_.take(done)) return failed;
    auto failed = gpu_.record(done, streams_[s]);
    if (!failed) failed = gpu_.wait(stream_of(buffer), done);
    events_.give_back(done);  // a wait is for the record before it
    return failed;
  });
  if (problem) return problem;
  return gpu_.release_async(address, stream_of(buffer));
}

void GpuMemory::use_ended(BlockIndex block) {
  const auto left = uses_left_.find(block);
  if (--left->second > 0) return;
  uses_left_.erase(left);
  allocator_->free(block);
}

Problem GpuMemory::collect() {
  for (auto& queue : uses_) {
    while (!queue.empty()) {
      bool reached = false;
      if (auto problem = gpu_.query(queue.front().done, reached)) return problem;
      if (!reached) break;
      const Use use = queue.front();
      queue.pop_front();
      events_.give_back(use.done);
      use_ended(use.block);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::gpu_rank
