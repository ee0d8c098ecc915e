#include "tests/property/allocator/naive_allocator.h"

#include <algorithm>
#include <iterator>

namespace heddle::test {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

std::int64_t up(std::int64_t value, std::int64_t unit) {
  return value % unit == 0 ? value : value + unit - value % unit;
}

/// By doubling and stepping instead of bit tricks.
std::int64_t round_request(std::int64_t bytes, const allocator::AllocatorConfig& config) {
  std::int64_t power = 1;
  int log = 0;
  while (power * 2 <= bytes) {
    power *= 2;
    ++log;
  }
  const int interval = std::min(std::max(log - 20, 0), 15);
  const std::int64_t divisions = config.roundup_divisions[std::size_t(interval)];
  if (divisions < 2 || bytes <= 512 * divisions) return std::max<std::int64_t>(512, up(bytes, 512));
  std::int64_t step = power;
  while (step < bytes) step += power / divisions;
  return step;
}

std::int64_t ask_device(std::int64_t size) {
  if (size <= kMiB) return 2 * kMiB;
  return size < 10 * kMiB ? 20 * kMiB : up(size, 2 * kMiB);
}

}  // namespace

bool NaiveAllocator::alone(Where p) {
  return std::count_if(pieces_.begin(), pieces_.end(), [&](const auto& other) {
           return other.second.segment == p->second.segment;
         }) == 1;
}

bool NaiveAllocator::belongs(Where p, int stream, bool small) const {
  return segment_of(p).stream == stream && segment_of(p).small == small;
}

std::int64_t NaiveAllocator::reserved() const {
  std::int64_t sum = 0;
  for (const auto& [address, piece] : pieces_) sum += piece.is == Is::kNothing ? 0 : piece.size;
  return sum;
}

/// What a piece can reach: itself and the addresses without memory right behind it.
std::int64_t NaiveAllocator::room_to_grow(Where p) {
  const auto after = std::next(p);
  const bool grows = after != pieces_.end() && after->second.segment == p->second.segment &&
                     after->second.is == Is::kNothing;
  return p->second.size + (grows ? after->second.size : 0);
}

std::int64_t NaiveAllocator::usable_from(Where p) {
  std::int64_t sum = 0;
  for (auto i = p; i != pieces_.end() && i->second.segment == p->second.segment; ++i) {
    if (i->second.is != Is::kNothing && i->second.is != Is::kFree) break;
    sum += i->second.size;
  }
  return sum;
}

NaiveAllocator::Where NaiveAllocator::add_piece(std::int64_t size, int stream, bool small,
                                                bool range, Is is) {
  segments_.push_back({stream, small, range, next_address_});
  const auto at = pieces_.emplace(next_address_, Piece{size, is, int(segments_.size()) - 1, 0, 0});
  next_address_ += size;
  return at.first;
}

void NaiveAllocator::set_since(Where p) {
  p->second.since = searches_[segment_of(p).small];
}

void NaiveAllocator::join(int segment) {
  for (auto p = pieces_.begin(); p != pieces_.end();) {
    const auto after = std::next(p);
    const bool same = after != pieces_.end() && p->second.segment == segment &&
                      after->second.segment == segment && p->second.is == after->second.is &&
                      (p->second.is == Is::kFree || p->second.is == Is::kNothing);
    if (!same) {
      p = after;
      continue;
    }
    p->second.size += after->second.size;
    p->second.since = std::max(p->second.since, after->second.since);
    pieces_.erase(after);
  }
}

NaiveAllocator::Where NaiveAllocator::find(std::int64_t size, int stream, bool small) {
  if (config_.memory_fraction > 0 && config_.garbage_collection_threshold > 0) ++searches_[small];
  std::vector<Where> fitting;
  for (auto p = pieces_.begin(); p != pieces_.end(); ++p) {
    if (p->second.is == Is::kFree && p->second.size >= size && belongs(p, stream, small)) {
      fitting.push_back(p);
    }
  }
  if (fitting.empty()) return pieces_.end();
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](Where a, Where b) { return a->second.size < b->second.size; });
  std::size_t choice = 0;
  while (config_.expandable_segments && choice + 1 < fitting.size() &&
         room_to_grow(fitting[choice + 1]) < room_to_grow(fitting[choice])) {
    ++choice;
  }
  const std::int64_t found = fitting[choice]->second.size;
  const std::int64_t oversize = config_.max_split_size.value;
  const bool request_is = size >= oversize;
  const bool found_is = found >= oversize;
  if (found_is && !request_is) return pieces_.end();
  if (request_is && found - size >= config_.max_non_split_rounding.value) return pieces_.end();
  return fitting[choice];
}

bool NaiveAllocator::map_pages(Where nothing, std::int64_t size) {
  const std::int64_t bytes = up(size, page(nothing));
  if (reserved() + bytes > capacity_) return false;
  ++device_allocs_;
  const int segment = nothing->second.segment;
  const std::int64_t rest = nothing->second.size - bytes;
  const std::int64_t address = nothing->first;
  pieces_.erase(nothing);
  if (rest > 0) pieces_[address + bytes] = {rest, Is::kNothing, segment, 0, 0};
  const auto mapped = pieces_.emplace(address, Piece{bytes, Is::kFree, segment, 0, 0}).first;
  set_since(mapped);
  join(segment);
  return true;
}

NaiveAllocator::Where NaiveAllocator::obtain_pages(std::int64_t size, int stream, bool small) {
  auto place = pieces_.end();
  for (auto p = pieces_.begin(); p != pieces_.end() && place == pieces_.end(); ++p) {
    if (p->second.is != Is::kNothing || !belongs(p, stream, small)) continue;
    auto from = p;
    if (p != pieces_.begin()) {
      const auto before = std::prev(p);
      if (before->second.segment == p->second.segment && before->second.is == Is::kFree) {
        from = before;
      }
    }
    if (usable_from(from) >= size) place = from;
  }
  if (place == pieces_.end()) {
    const std::int64_t memory = std::min(capacity_, std::int64_t{1} << 45);
    place = add_piece(up(memory + memory / 8, small ? 2 * kMiB : 20 * kMiB), stream, small, true,
                      Is::kNothing);
  }
  const std::int64_t address = place->first;
  while (true) {
    const auto first = pieces_.find(address);
    if (first->second.is == Is::kFree && first->second.size >= size) return first;
    const auto nothing = first->second.is == Is::kNothing ? first : std::next(first);
    const std::int64_t missing = first == nothing ? size : size - first->second.size;
    if (!map_pages(nothing, std::min(missing, nothing->second.size))) return pieces_.end();
  }
}

NaiveAllocator::Where NaiveAllocator::obtain(std::int64_t size, int stream, bool small) {
  const std::int64_t bytes = ask_device(size);
  if (config_.memory_fraction > 0 && capacity_ != allocator::kUnlimited.value &&
      reserved() + bytes > std::int64_t(config_.memory_fraction * double(capacity_))) {
    return pieces_.end();
  }
  if (config_.expandable_segments) return obtain_pages(size, stream, small);
  if (bytes > capacity_ - reserved()) return pieces_.end();
  ++device_allocs_;
  return add_piece(bytes, stream, small, false, Is::kFree);
}

void NaiveAllocator::give_back(Where whole) {
  ++device_frees_;
  pieces_.erase(whole);
}

bool NaiveAllocator::give_back_oversize(std::int64_t size, int stream, bool small) {
  if (config_.max_split_size == allocator::kUnlimited || config_.expandable_segments) return false;
  const std::int64_t wanted = std::max(size, config_.max_split_size.value);
  std::vector<Where> cached;
  for (auto p = pieces_.begin(); p != pieces_.end(); ++p) {
    if (p->second.is == Is::kFree && belongs(p, stream, small) &&
        p->second.size >= config_.max_split_size.value) {
      cached.push_back(p);
    }
  }
  std::stable_sort(cached.begin(), cached.end(),
                   [](Where a, Where b) { return a->second.size < b->second.size; });
  for (const Where p : cached) {
    if (p->second.size < wanted) continue;
    give_back(p);
    return true;
  }
  std::int64_t sum = 0;
  for (auto p = cached.rbegin(); p != cached.rend() && sum < wanted; ++p) {
    sum += (*p)->second.size;
    give_back(*p);
  }
  return sum >= wanted;
}

void NaiveAllocator::give_back_pages(std::int64_t address) {
  const Where p = pieces_.find(address);
  const Piece piece = p->second;
  const std::int64_t base = segment_of(p).begin;
  const std::int64_t unit = page(p);
  const std::int64_t from = base + up(address - base, unit);
  const std::int64_t to = base + (address + piece.size - base) / unit * unit;
  if (from >= to) return;
  ++device_frees_;
  pieces_.erase(p);
  const auto put = [&](std::int64_t begin, std::int64_t end, Is is) {
    if (begin < end) set_since(pieces_.emplace(begin, Piece{end - begin, is, piece.segment}).first);
  };
  put(address, from, Is::kFree);
  put(from, to, Is::kNothing);
  put(to, address + piece.size, Is::kFree);
  join(piece.segment);
  const auto whole = pieces_.find(base);
  if (whole != pieces_.end() && whole->second.is == Is::kNothing && alone(whole)) {
    pieces_.erase(whole);
  }
}

void NaiveAllocator::empty_cache() {
  auto queues = std::move(events_);
  events_.clear();
  for (const auto& [stream, queue] : queues) {
    for (const auto& event : queue) finish_event(event.second);
  }
  std::vector<std::int64_t> free;
  for (const auto& [address, piece] : pieces_) {
    if (piece.is == Is::kFree) free.push_back(address);
  }
  for (const std::int64_t address : free) {
    const auto p = pieces_.find(address);
    if (segment_of(p).range) {
      give_back_pages(address);
    } else if (alone(p)) {
      give_back(p);
    }
  }
}

void NaiveAllocator::collect() {
  const double allowed = capacity_ == allocator::kUnlimited.value
                             ? double(capacity_)
                             : double(std::int64_t(config_.memory_fraction * double(capacity_)));
  const std::int64_t limit = std::int64_t(config_.garbage_collection_threshold * allowed);
  const std::int64_t target = reserved() - limit;
  if (target <= 0) return;
  std::vector<Where> cached;
  for (auto p = pieces_.begin(); p != pieces_.end(); ++p) {
    if (p->second.is == Is::kFree && !segment_of(p).small && !segment_of(p).range && alone(p)) {
      cached.push_back(p);
    }
  }
  const auto age = [&](Where p) { return double(searches_[0] - p->second.since); };
  for (std::int64_t gained = 0; gained < target && !cached.empty();) {
    double mean = 0;
    for (const Where p : cached) mean += age(p);
    mean /= double(cached.size());
    std::vector<Where> young;
    for (const Where p : cached) {
      if (age(p) < mean) {
        young.push_back(p);
        continue;
      }
      gained += p->second.size;
      give_back(p);
    }
    if (young.size() == cached.size()) break;
    cached = young;
  }
}

std::int64_t NaiveAllocator::allocate(std::int64_t bytes, int stream, std::int64_t now) {
  for (auto& [of, queue] : events_) {
    while (!queue.empty() && queue.front().first <= now) {
      finish_event(queue.front().second);
      queue.pop_front();
    }
  }
  const std::int64_t size = round_request(bytes, config_);
  const bool small = size <= kMiB;
  auto p = find(size, stream, small);
  if (p == pieces_.end()) {
    if (config_.memory_fraction > 0 && config_.garbage_collection_threshold > 0) collect();
    p = obtain(size, stream, small);
    if (p == pieces_.end() && give_back_oversize(size, stream, small)) {
      p = obtain(size, stream, small);
    }
    if (p == pieces_.end()) {
      empty_cache();
      ++retries_;
      p = obtain(size, stream, small);
    }
  }
  if (p == pieces_.end()) {
    ++failures_;
    return kFailed;
  }
  const std::int64_t rest = p->second.size - size;
  const bool split = small || config_.expandable_segments
                         ? rest >= 512
                         : rest > kMiB && size < config_.max_split_size.value;
  p->second.is = Is::kTaken;
  if (split) {
    p->second.size = size;
    set_since(pieces_.emplace(p->first + size, Piece{rest, Is::kFree, p->second.segment}).first);
  }
  return p->first;
}

void NaiveAllocator::free(std::int64_t address, const std::vector<allocator::StreamUse>& uses) {
  const auto p = pieces_.find(address);
  p->second.is = Is::kPending;
  p->second.uses = 1;
  for (const allocator::StreamUse& use : uses) {
    if (use.stream == segment_of(p).stream) continue;
    ++p->second.uses;
    events_[use.stream].emplace_back(use.done.ps, address);
  }
  finish_event(address);
}

void NaiveAllocator::finish_event(std::int64_t address) {
  const auto p = pieces_.find(address);
  if (--p->second.uses > 0) return;
  p->second.is = Is::kFree;
  set_since(p);
  join(p->second.segment);
}

allocator::AllocatorStats NaiveAllocator::stats() const {
  allocator::AllocatorStats out;
  std::map<int, std::vector<Piece>> by_segment;
  for (const auto& [address, piece] : pieces_) by_segment[piece.segment].push_back(piece);
  for (const auto& [segment, inside] : by_segment) {
    const bool range = segments_[std::size_t(segment)].range;
    out.segments += range ? 0 : 1;
    for (const Piece& piece : inside) {
      const bool taken = piece.is == Is::kTaken;
      if (piece.is == Is::kNothing) continue;
      out.reserved.current.value += piece.size;
      out.allocations += taken ? 1 : 0;
      out.allocated.current.value += taken ? piece.size : 0;
      out.active.current.value += piece.is == Is::kFree ? 0 : piece.size;
      const bool split_rest = piece.is == Is::kFree && inside.size() > 1 && !range;
      out.inactive_split.current.value += split_rest ? piece.size : 0;
    }
  }
  out.device_allocs = device_allocs_;
  out.device_frees = device_frees_;
  out.retries = retries_;
  out.out_of_memory = failures_;
  return out;
}

}  // namespace heddle::test
