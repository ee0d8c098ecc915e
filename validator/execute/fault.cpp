#include "validator/execute/fault.h"

#include <csignal>

#include "validator/device/clock.h"

namespace heddle::execute {
namespace {

constexpr std::int64_t kNap = 10'000'000;

[[noreturn]] void sleep_for_ever() {
  while (true) device::steady_clock().sleep_ns(kNap);
}

}  // namespace

void FaultyDevice::count_call() {
  if (calls_++ != fault_.call) return;
  if (fault_.kind == FaultKind::kDie) std::raise(SIGKILL);
  if (fault_.kind == FaultKind::kHang) sleep_for_ever();
  if (fault_.kind == FaultKind::kAsyncError) errored_ = true;
}

std::optional<device::Failure> FaultyDevice::allocate(schedule::BufferId id) {
  count_call();
  if (fault_.kind == FaultKind::kOutOfMemory && calls_ > fault_.call) {
    return device::Failure{device::FailureKind::kOutOfMemory, "injected: 1 B needed, 0 B free"};
  }
  return inner_.allocate(id);
}

void FaultyDevice::free(schedule::BufferId id) {
  count_call();
  inner_.free(id);
}

void FaultyDevice::compute(std::uint32_t op, schedule::StreamKind s, schedule::KernelId id) {
  count_call();
  inner_.compute(op, s, id);
}

void FaultyDevice::collective(std::uint32_t op, schedule::StreamKind s, schedule::CollectiveId id) {
  count_call();
  inner_.collective(op, s, id);
}

void FaultyDevice::record(std::uint32_t op, schedule::StreamKind s, schedule::EventId id) {
  count_call();
  inner_.record(op, s, id);
}

void FaultyDevice::wait(std::uint32_t op, schedule::StreamKind s, schedule::EventId id) {
  count_call();
  inner_.wait(op, s, id);
}

std::optional<device::Failure> FaultyDevice::failure() const {
  if (errored_) return device::Failure{device::FailureKind::kAsyncError, "injected"};
  return inner_.failure();
}

std::optional<device::Failure> FaultyTransport::run(const device::TransportCall& call) {
  const bool now = calls_.fetch_add(1) == fault_.call;
  if (now && fault_.kind == FaultKind::kIgnoreAbort) sleep_for_ever();
  if (now && fault_.kind == FaultKind::kStall) {
    while (!aborted_.load()) device::steady_clock().sleep_ns(kNap);
    return device::Failure{device::FailureKind::kAborted, "told to stop while stalled"};
  }
  auto failure = inner_.run(call);
  if (now && fault_.kind == FaultKind::kCorrupt && !call.output.empty()) {
    call.output[call.output.size() / 2] ^= std::byte{1};
  }
  return failure;
}

void FaultyTransport::abort() {
  aborted_.store(true);
  inner_.abort();
}

}  // namespace heddle::execute
