#include "tests/property/allocator/random_requests.h"

namespace heddle::test {
namespace {

allocator::AllocatorConfig random_config(Rng& rng) {
  allocator::AllocatorConfig config;
  config.expandable_segments = rng.chance(0.4);
  if (rng.chance(0.4)) config.max_split_size = mebibytes(rng.uniform_int(21, 48));
  if (rng.chance(0.2)) config.max_non_split_rounding = mebibytes(rng.uniform_int(21, 40));
  if (rng.chance(0.3)) {
    for (std::int64_t& divisions : config.roundup_divisions) {
      divisions = std::int64_t{1} << rng.uniform_int(0, 4);
    }
  }
  if (rng.chance(0.4)) config.memory_fraction = 0.3 + 0.7 * rng.uniform();
  if (rng.chance(0.5)) config.garbage_collection_threshold = 0.1 + 0.8 * rng.uniform();
  return config;
}

Bytes random_size(Rng& rng) {
  const double kind = rng.uniform();
  if (kind < 0.3) return {rng.uniform_int(1, 1 << 20)};
  if (kind < 0.5) return {512 * rng.uniform_int(1, 8)};
  if (kind < 0.7) return mebibytes(rng.uniform_int(1, 24));
  if (kind < 0.9) return {rng.uniform_int(1 << 20, 14 << 20)};
  return {rng.uniform_int(10 << 20, 60 << 20)};
}

std::vector<allocator::StreamUse> random_uses(Rng& rng, std::int64_t now, int streams) {
  std::vector<allocator::StreamUse> uses;
  for (int s = 0; s < streams; ++s) {
    if (!rng.chance(0.2)) continue;
    uses.push_back({static_cast<std::uint16_t>(s), {now + rng.uniform_int(0, 30)}});
  }
  return uses;
}

}  // namespace

RequestCase random_requests(std::uint64_t seed) {
  Rng rng(seed);
  RequestCase out;
  out.config = random_config(rng);
  if (rng.chance(0.7)) out.capacity = mebibytes(rng.uniform_int(60, 500));
  const int streams = static_cast<int>(rng.uniform_int(1, 3));
  const double growth = 0.45 + 0.15 * rng.uniform();
  std::vector<std::size_t> alive;
  std::size_t allocations = 0;
  for (std::int64_t now = 0; now < 400; ++now) {
    RequestEvent event;
    event.now = now;
    const auto pick = static_cast<std::size_t>(rng.uniform_int(0, 1 << 20));
    if (rng.chance(0.01)) {
      event.kind = RequestEvent::Kind::kEmptyCache;
    } else if (alive.empty() || rng.chance(growth)) {
      event.bytes = random_size(rng);
      event.stream = static_cast<std::uint16_t>(rng.uniform_int(0, streams - 1));
      alive.push_back(allocations++);
    } else {
      event.kind = RequestEvent::Kind::kFree;
      const std::size_t which = pick % alive.size();
      event.allocation = alive[which];
      event.uses = random_uses(rng, now, streams);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
    }
    out.events.push_back(event);
  }
  for (const std::size_t left : alive) {  // nothing stays
    RequestEvent event;
    event.kind = RequestEvent::Kind::kFree;
    event.now = 400;
    event.allocation = left;
    out.events.push_back(event);
  }
  return out;
}

}  // namespace heddle::test
