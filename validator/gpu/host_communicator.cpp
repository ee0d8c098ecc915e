#include "validator/gpu/host_communicator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "sim/base/check.h"
#include "sim/base/error.h"

namespace heddle::gpu {
namespace {

constexpr std::int64_t kNap = 1'000'000;

schedule::Schedule only_communicator(int size) {
  schedule::Schedule schedule;
  schedule.communicators = {schedule::world_communicator(size)};
  schedule.programs.resize(1);
  schedule.program_of_rank.assign(static_cast<std::size_t>(size), 0);
  return schedule;
}

}  // namespace

UniqueId host_unique_id(const std::string& folder) {
  static std::atomic<int> made = 0;
  const std::string path =
      fmt::format("{}/communicator-{}-{}", folder, getpid(), made.fetch_add(1));
  UniqueId id{};
  HEDDLE_CHECK(path.size() < id.size(), "a folder whose name is too long for a unique id");
  std::memcpy(id.data(), path.data(), path.size());
  return id;
}

HostCommunicator::HostCommunicator(const UniqueId& id, int size, int position)
    : alone_(only_communicator(size)), position_(position) {
  joining_ = std::thread([this, path = std::string(id.data())] { join(path); });
}

HostCommunicator::~HostCommunicator() {
  aborted_.store(true);
  joining_.join();
}

/// The first member makes the file whole before it has its name; once all have met nobody needs the
/// name any more.
void HostCommunicator::join(const std::string& path) {
  try {
    if (position_ == 0) {
      device::make_region(path + ".new", device::Exchange::region_bytes(alone_));
      if (std::rename((path + ".new").c_str(), path.c_str()) != 0) {
        return fail({device::FailureKind::kAsyncError, "cannot make " + path});
      }
    }
  } catch (const Error& error) {
    return fail({device::FailureKind::kAsyncError, error.what()});
  }
  auto region = std::make_unique<device::SharedRegion>(path);
  while (region->bytes().empty() && !aborted_.load()) {
    device::steady_clock().sleep_ns(kNap);
    region = std::make_unique<device::SharedRegion>(path);
  }
  if (aborted_.load()) return;
  {
    const std::lock_guard lock(mutex_);
    region_ = std::move(region);
    exchange_ = std::make_unique<device::Exchange>(region_->bytes(), alone_, position_,
                                                   device::steady_clock());
  }
  if (aborted_.load()) exchange_->abort();
  if (auto problem = exchange_->barrier()) return fail(std::move(*problem));
  if (position_ == 0) unlink(path.c_str());
  joined_.store(true);
}

void HostCommunicator::run(const CollectiveCall& call) {
  if (!joined_.load() || failure()) return;
  device::CollectiveView view;
  view.collective = {call.kind, schedule::CommunicatorId{0},
                     Bytes{call.elements * byte_size(call.dtype)}, call.dtype};
  view.size = alone_.rank_count();
  view.position = position_;
  view.number = number_++;
  view.arithmetic = device::Arithmetic::kOfType;
  auto problem = exchange_->run(
      {view, {call.input, view.input_bytes()}, {call.output, view.output_bytes()}, true});
  if (problem) fail(std::move(*problem));
}

void HostCommunicator::abort() {
  aborted_.store(true);
  const std::lock_guard lock(mutex_);
  if (exchange_) exchange_->abort();
}

Problem HostCommunicator::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void HostCommunicator::fail(device::Failure failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

}  // namespace heddle::gpu
