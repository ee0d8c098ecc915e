// Five million events per second of CPU time: the blocks of a training step (layers that save, free
// in reverse, gather and release), and a hard case with many sizes and thousands of free blocks.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "sim/allocator/caching_allocator.h"
#include "sim/base/rng.h"
#include "tests/support/cpu_time.h"

namespace heddle::test {
namespace {

using allocator::BlockIndex;
using allocator::CachingAllocator;

constexpr double kLeast = 5e6;

/// Layers save 20 tensors each and free them backwards, as a transformer's step does.
std::int64_t train(CachingAllocator& allocator, int steps) {
  std::int64_t events = 0;
  std::vector<BlockIndex> saved;
  for (int step = 0; step < steps; ++step) {
    for (int layer = 0; layer < 32; ++layer) {
      const BlockIndex gathered = allocator.allocate(mebibytes(400), 1, {events});
      for (int tensor = 0; tensor < 20; ++tensor) {
        const Bytes size{(tensor % 5 == 0 ? 4096 : 1 << 23) + tensor * 70'000};
        saved.push_back(allocator.allocate(size, 0, {events}));
        allocator.free(allocator.allocate(size * 2, 0, {events}));
      }
      allocator.free(gathered);
      events += 62;
    }
    for (; !saved.empty(); saved.pop_back(), ++events) allocator.free(saved.back());
  }
  return events;
}

/// A thousand blocks alive, sizes at random, each event replaces one.
std::int64_t churn(CachingAllocator& allocator, std::int64_t count) {
  Rng rng(3);
  std::vector<BlockIndex> alive(1000, allocator::kNoBlock);
  std::int64_t events = 0;
  while (events < count) {
    BlockIndex& slot = alive[static_cast<std::size_t>(rng.uniform_int(0, 999))];
    if (slot != allocator::kNoBlock) allocator.free(slot);
    slot = allocator.allocate({rng.uniform_int(1, 16 << 20)}, 0, {events});
    events += 2;
  }
  return events;
}

/// Events per second, the best of five.
template <typename Workload>
double rate(const allocator::AllocatorConfig& config, Workload workload) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    allocator::LimitedDevice device(allocator::kUnlimited);
    CachingAllocator allocator(config, device);
    const double start = cpu_milliseconds();
    const std::int64_t events = workload(allocator);
    best = std::max(best, 1e3 * static_cast<double>(events) / (cpu_milliseconds() - start));
  }
  return best;
}

class AllocatorSpeed : public ::testing::TestWithParam<bool> {};

TEST_P(AllocatorSpeed, FiveMillionEventsPerSecond) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  allocator::AllocatorConfig config;
  config.expandable_segments = GetParam();
  const double steps = rate(config, [](CachingAllocator& a) { return train(a, 200); });
  const double random = rate(config, [](CachingAllocator& a) { return churn(a, 400'000); });
  std::cout << "training " << steps * 1e-6 << " M events/s, random " << random * 1e-6
            << " M events/s\n";
  RecordProperty("training_events_per_s", static_cast<int>(steps));
  RecordProperty("random_events_per_s", static_cast<int>(random));
  EXPECT_GT(steps, kLeast);
}

INSTANTIATE_TEST_SUITE_P(Segments, AllocatorSpeed, ::testing::Bool());

}  // namespace
}  // namespace heddle::test
