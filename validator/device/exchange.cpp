#include "validator/device/exchange.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstring>
#include <thread>

#include "sim/base/check.h"
#include "validator/device/claim.h"

namespace heddle::device {

using schedule::CollectiveKind;

namespace {

constexpr std::size_t kLine = 64;  // of cache: what one rank writes is nobody else's
constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kSlot = kLine + kPiece;
constexpr int kPolls = 200;  // before the processor is given away
constexpr std::int64_t kNap = 20'000;

std::size_t room_bytes(std::size_t members) {
  return kLine + members * kSlot;
}

}  // namespace

/// A barrier that can be used again at once.
struct Exchange::Meeting {
  std::atomic<std::uint32_t> arrived;
  std::atomic<std::uint32_t> generation;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "shared between processes");

/// The part of the region of one group of a communicator.
struct Exchange::Room {
  Meeting* meeting;
  std::byte* slots;
  std::byte* data(std::size_t member) const { return slots + member * kSlot + kLine; }
  std::byte* claim(std::size_t member) const { return slots + member * kSlot; }
};

std::size_t Exchange::region_bytes(const schedule::Schedule& schedule) {
  std::size_t bytes = 2 * kLine;
  for (const schedule::Communicator& c : schedule.communicators) {
    bytes += c.groups.size() * room_bytes(c.size());
  }
  return bytes;
}

Exchange::Exchange(std::span<std::byte> region, const schedule::Schedule& schedule, int rank,
                   const Clock& clock)
    : region_(region), schedule_(schedule), clock_(clock) {
  HEDDLE_CHECK(region.size() >= region_bytes(schedule), "a region that is too small");
  HEDDLE_CHECK(rank >= 0 && rank < schedule.rank_count(), "no such rank");
  std::size_t offset = 2 * kLine;
  for (const schedule::Communicator& c : schedule.communicators) {
    const int group =
        schedule::group_of_rank(c, schedule.rank_count())[static_cast<std::size_t>(rank)];
    rooms_.push_back(offset + static_cast<std::size_t>(std::max(0, group)) * room_bytes(c.size()));
    offset += c.groups.size() * room_bytes(c.size());
  }
}

std::atomic<std::uint32_t>& Exchange::aborted() const {
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(region_.data());
}

Exchange::Room Exchange::room(std::size_t communicator) const {
  std::byte* base = region_.data() + rooms_[communicator];
  return {reinterpret_cast<Meeting*>(base), base + kLine};
}

/// False if the run was aborted meanwhile.
bool Exchange::meet(Meeting& meeting, std::uint32_t members) const {
  const std::uint32_t generation = meeting.generation.load();
  if (meeting.arrived.fetch_add(1) + 1 == members) {
    meeting.arrived.store(0);
    meeting.generation.fetch_add(1);
    return aborted().load() == 0;
  }
  for (int polls = 0; meeting.generation.load() == generation; ++polls) {
    if (aborted().load() != 0) return false;
    if (polls < kPolls) {
      std::this_thread::yield();
    } else {
      clock_.sleep_ns(kNap);
    }
  }
  return true;
}

namespace {

const Failure kStopped{FailureKind::kAborted, "told to stop inside a collective"};

/// Elements [low, high) of all slots added up, in `to`; unsigned integers wrap.
template <typename T>
void sum_slots(std::span<std::byte* const> slots, std::size_t low, std::size_t high,
               std::byte* to) {
  T* out = reinterpret_cast<T*>(to);
  std::memcpy(to, slots.front() + low * sizeof(T), (high - low) * sizeof(T));
  for (const std::byte* slot : slots.subspan(1)) {
    const T* in = reinterpret_cast<const T*>(slot) + low;
    for (std::size_t i = 0; i < high - low; ++i) out[i] = static_cast<T>(out[i] + in[i]);
  }
}

using SumSlots = void (*)(std::span<std::byte* const>, std::size_t, std::size_t, std::byte*);

SumSlots sum_of(const CollectiveView& view) {
  if (view.element_size() != 2) return sum_slots<float>;
  if (!view.has_half_floats()) return sum_slots<std::uint16_t>;
  return view.collective.dtype == schedule::DType::kBFloat16 ? sum_slots<Eigen::bfloat16>
                                                             : sum_slots<Eigen::half>;
}

/// What of the common pieces one member takes: elements [first, first + count) of all inputs.
class PieceReader {
 public:
  PieceReader(const TransportCall& call, std::vector<std::byte*> slots, std::size_t first,
              std::size_t count)
      : call_(call), slots_(std::move(slots)), first_(first), count_(count) {}

  void read() {
    const CollectiveView& view = call_.view;
    const auto me = static_cast<std::size_t>(view.position);
    const std::size_t part = view.part();
    switch (view.collective.kind) {
      case CollectiveKind::kAllReduce:
        return sum(0, count_, first_);
      case CollectiveKind::kReduce:
        return me == 0 ? sum(0, count_, first_) : void();
      case CollectiveKind::kReduceScatter: {
        const auto [low, high] = of_part(me, part);
        return sum(low, high, first_ + low - me * part);
      }
      case CollectiveKind::kAllToAll: {
        const auto [low, high] = of_part(me, part);
        for (std::size_t r = 0; r < slots_.size(); ++r) {
          copy(r, low, high, r * part + first_ + low - me * part);
        }
        return;
      }
      case CollectiveKind::kAllGather:
        for (std::size_t r = 0; r < slots_.size(); ++r) copy(r, 0, count_, r * part + first_);
        return;
      case CollectiveKind::kBroadcast:
        return copy(0, 0, count_, first_);
      case CollectiveKind::kSendRecv:
        return copy((me + slots_.size() - 1) % slots_.size(), 0, count_, first_);
    }
  }

 private:
  /// Where within the piece the part of a member lies; low == high: it does not.
  std::pair<std::size_t, std::size_t> of_part(std::size_t member, std::size_t part) const {
    const std::size_t low = std::max(first_, member * part);
    const std::size_t high = std::min(first_ + count_, (member + 1) * part);
    return low < high ? std::pair(low - first_, high - first_) : std::pair(count_, count_);
  }
  void sum(std::size_t low, std::size_t high, std::size_t to) {
    if (low == high) return;
    const std::size_t size = call_.view.element_size();
    sum_of(call_.view)(slots_, low, high, call_.output.data() + to * size);
  }
  void copy(std::size_t member, std::size_t low, std::size_t high, std::size_t to) {
    if (low == high) return;
    const std::size_t size = call_.view.element_size();
    std::memcpy(call_.output.data() + to * size, slots_[member] + low * size, (high - low) * size);
  }

  const TransportCall& call_;
  std::vector<std::byte*> slots_;
  std::size_t first_;
  std::size_t count_;
};

}  // namespace

std::optional<Failure> Exchange::agree(const Room& room, const TransportCall& call) const {
  const auto members = static_cast<std::size_t>(call.view.size);
  const Claim mine = claim_of(call.view);
  std::memcpy(room.claim(static_cast<std::size_t>(call.view.position)), &mine, sizeof mine);
  if (!meet(*room.meeting, static_cast<std::uint32_t>(members))) return kStopped;
  std::vector<Claim> claims(members);
  for (std::size_t r = 0; r < members; ++r) std::memcpy(&claims[r], room.claim(r), sizeof(Claim));
  return compare_claims(call.view, claims);
}

void Exchange::read_piece(const Room& room, const TransportCall& call, std::size_t first,
                          std::size_t count) const {
  std::vector<std::byte*> slots;
  for (std::size_t r = 0; r < static_cast<std::size_t>(call.view.size); ++r) {
    slots.push_back(room.data(r));
  }
  PieceReader(call, std::move(slots), first, count).read();
}

std::optional<Failure> Exchange::run(const TransportCall& call) {
  const CollectiveView& view = call.view;
  const Room room = this->room(view.collective.communicator.index());
  const auto members = static_cast<std::uint32_t>(view.size);
  if (auto problem = agree(room, call)) return problem;
  const std::size_t size = view.element_size();
  const std::size_t at_once = kPiece / size;
  std::byte* slot = room.data(static_cast<std::size_t>(view.position));
  for (std::size_t first = 0; first < view.input_elements(); first += at_once) {
    const std::size_t count = std::min(at_once, view.input_elements() - first);
    std::memcpy(slot, call.input.data() + first * size, count * size);
    if (!meet(*room.meeting, members)) return kStopped;
    read_piece(room, call, first, count);
    if (!meet(*room.meeting, members)) return kStopped;
  }
  // Nobody may overwrite a claim that another member has not compared yet.
  return meet(*room.meeting, members) ? std::nullopt : std::optional(kStopped);
}

std::optional<Failure> Exchange::barrier() {
  auto& meeting = *reinterpret_cast<Meeting*>(region_.data() + kLine);
  const bool met = meet(meeting, static_cast<std::uint32_t>(schedule_.rank_count()));
  return met ? std::nullopt : std::optional(kStopped);
}

void Exchange::abort() {
  aborted().store(1);
}

}  // namespace heddle::device
