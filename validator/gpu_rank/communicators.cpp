#include "validator/gpu_rank/communicators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/check.h"

namespace heddle::gpu_rank {

using device::Failure;
using device::FailureKind;
using gpu::Problem;

namespace {

constexpr std::int64_t kSettleNs = 60'000'000'000;  // NCCL finds out about the machine here
constexpr std::int64_t kNapNs = 50'000;

const Failure kStopped{FailureKind::kAborted, "told to stop while ranks met"};

}  // namespace

Communicators::Communicators(gpu::Gpu& gpu, const schedule::Schedule& schedule, int rank,
                             device::Assembly& assembly, const std::atomic<bool>& stopped,
                             const device::Clock& clock)
    : gpu_(gpu),
      schedule_(schedule),
      rank_(rank),
      assembly_(assembly),
      stopped_(stopped),
      clock_(clock),
      all_(schedule.communicators.size()) {}

int Communicators::position(std::size_t communicator) const {
  const int position = schedule::position_in_group(schedule_.communicators[communicator], rank_);
  HEDDLE_CHECK(position >= 0, "a collective of a communicator the rank is not in");
  return position;
}

int Communicators::size(std::size_t communicator) const {
  return static_cast<int>(schedule_.communicators[communicator].size());
}

/// Those this rank has to make, behind each other in the order of communicators.
Problem Communicators::offer_ids(std::string& offers) {
  for (const schedule::Communicator& communicator : schedule_.communicators) {
    if (schedule::position_in_group(communicator, rank_) != 0) continue;
    gpu::UniqueId id{};
    if (auto problem = gpu_.unique_id(id)) return problem;
    offers.append(id.data(), id.size());
  }
  return std::nullopt;
}

Problem Communicators::ask(std::size_t communicator, bool& settled) const {
  const std::lock_guard lock(mutex_);
  if (aborted_) return kStopped;
  return gpu_.settled(all_[communicator], settled);
}

Problem Communicators::settle(std::size_t communicator) const {
  const std::int64_t end = clock_.now_ns() + kSettleNs;
  while (true) {
    bool settled = false;
    if (auto problem = ask(communicator, settled)) return problem;
    if (settled) return std::nullopt;
    if (stopped_.load()) return kStopped;
    if (clock_.now_ns() > end) {
      return Failure{FailureKind::kTimeout,
                     fmt::format("a communicator is not there after {} s", kSettleNs / 1e9)};
    }
    clock_.sleep_ns(kNapNs);
  }
}

Problem Communicators::join() {
  std::string offers;
  if (auto problem = offer_ids(offers)) return problem;
  auto all = assembly_.gather(offers);
  if (!all) return kStopped;
  for (std::size_t c = 0; c < all_.size(); ++c) {
    for (const std::vector<int>& group : schedule_.communicators[c].groups) {
      std::string& from = (*all)[static_cast<std::size_t>(group.front())];
      gpu::UniqueId id{};
      if (from.size() < id.size()) return kStopped;  // its maker failed
      std::memcpy(id.data(), from.data(), id.size());
      from.erase(0, id.size());
      const bool mine = std::find(group.begin(), group.end(), rank_) != group.end();
      if (!mine) continue;
      if (auto problem = join(c, id)) return problem;
    }
  }
  joined_.store(true);
  return std::nullopt;
}

Problem Communicators::join(std::size_t communicator, const gpu::UniqueId& id) {
  gpu::Communicator joined = nullptr;
  if (auto problem = gpu_.join(id, size(communicator), position(communicator), joined)) {
    return problem;
  }
  {
    const std::lock_guard lock(mutex_);
    all_[communicator] = joined;
  }
  return settle(communicator);
}

Problem Communicators::run(std::size_t communicator, gpu::Stream stream,
                           const gpu::CollectiveCall& call) {
  {
    const std::lock_guard lock(mutex_);
    if (aborted_) return kStopped;
    if (auto problem = gpu_.collective(all_[communicator], stream, call)) return problem;
  }
  return settle(communicator);
}

Problem Communicators::failure() const {
  const std::lock_guard lock(mutex_);
  for (const gpu::Communicator communicator : all_) {
    bool settled = false;
    if (communicator == nullptr || aborted_) continue;
    if (auto problem = gpu_.settled(communicator, settled)) return problem;
  }
  return std::nullopt;
}

void Communicators::leave() {
  const std::lock_guard lock(mutex_);
  for (gpu::Communicator& communicator : all_) {
    if (communicator != nullptr && !aborted_) gpu_.leave(communicator);
    communicator = nullptr;
  }
  joined_.store(false);
}

void Communicators::abort() {
  {
    const std::lock_guard lock(mutex_);
    aborted_ = true;
  }
  for (const gpu::Communicator communicator : all_) {
    if (communicator != nullptr) gpu_.abort(communicator);
  }
}

}  // namespace heddle::gpu_rank
