#pragma once
// Random use of an allocator: sizes as training has them (many equal ones, some tiny, some huge),
// several streams, frees that wait for other streams, every knob.

#include <cstdint>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/allocator/caching_allocator.h"
#include "sim/base/rng.h"

namespace heddle::test {

struct RequestEvent {
  enum class Kind { kAllocate, kFree, kEmptyCache } kind = Kind::kAllocate;
  Bytes bytes;
  std::uint16_t stream = 0;
  std::int64_t now = 0;
  std::size_t allocation = 0;  // of a free: which of the allocations before it
  std::vector<allocator::StreamUse> uses;
};

struct RequestCase {
  allocator::AllocatorConfig config;
  Bytes capacity = allocator::kUnlimited;
  std::vector<RequestEvent> events;
};

RequestCase random_requests(std::uint64_t seed);

}  // namespace heddle::test
