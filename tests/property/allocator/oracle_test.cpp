// The allocator against a second implementation that shares no structure with it: every address and
// every statistic after every event, over random traces and all knobs.

#include <gtest/gtest.h>

#include <tuple>

#include "sim/allocator/caching_allocator.h"
#include "tests/property/allocator/naive_allocator.h"
#include "tests/property/allocator/random_requests.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using allocator::AllocatorStats;
using allocator::BlockIndex;
using Kind = RequestEvent::Kind;

auto currents(const AllocatorStats& s) {
  return std::tuple(s.allocated.current.value, s.active.current.value, s.reserved.current.value,
                    s.inactive_split.current.value, s.allocations, s.segments, s.device_allocs,
                    s.device_frees, s.retries, s.out_of_memory);
}

class Pair {
 public:
  explicit Pair(const RequestCase& c)
      : device_(c.capacity), fast_(c.config, device_), naive_(c.config, c.capacity.value) {}

  void apply(const RequestEvent& event) {
    if (event.kind == Kind::kEmptyCache) {
      fast_.empty_cache();
      naive_.empty_cache();
    } else if (event.kind == Kind::kFree) {
      if (blocks_[event.allocation] != allocator::kNoBlock) {
        fast_.free(blocks_[event.allocation], event.uses);
        naive_.free(addresses_[event.allocation], event.uses);
      }
    } else {
      allocate(event);
    }
    ASSERT_EQ(currents(fast_.stats()), currents(naive_.stats()));
    ASSERT_EQ(device_.used(), fast_.stats().reserved.current);
  }
  const AllocatorStats& stats() const { return fast_.stats(); }

 private:
  void allocate(const RequestEvent& event) {
    blocks_.push_back(fast_.allocate(event.bytes, event.stream, {event.now}));
    addresses_.push_back(naive_.allocate(event.bytes.value, event.stream, event.now));
    const std::int64_t address = blocks_.back() == allocator::kNoBlock
                                     ? NaiveAllocator::kFailed
                                     : fast_.address_of(blocks_.back());
    ASSERT_EQ(address, addresses_.back());
  }

  allocator::LimitedDevice device_;
  allocator::CachingAllocator fast_;
  NaiveAllocator naive_;
  std::vector<BlockIndex> blocks_;
  std::vector<std::int64_t> addresses_;
};

TEST(AllocatorOracle, AgreesOnEveryAddressAndStatistic) {
  std::int64_t failures = 0;
  std::int64_t retries = 0;
  for_each_seed([&](std::uint64_t seed) {
    const RequestCase c = random_requests(seed);
    Pair pair(c);
    for (std::size_t i = 0; i < c.events.size(); ++i) {
      SCOPED_TRACE("event " + std::to_string(i));
      pair.apply(c.events[i]);
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(pair.stats().allocated.current.value, 0);
    failures += pair.stats().out_of_memory;
    retries += pair.stats().retries;
  });
  // The traces reach the corners they are for.
  EXPECT_GT(failures, 100);
  EXPECT_GT(retries, 200);
}

}  // namespace
}  // namespace heddle::test
