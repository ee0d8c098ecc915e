#include "validator/gpu_rank/faulty_gpu.h"

#include "validator/device/clock.h"

namespace heddle::gpu_rank {

using execute::FaultKind;
using gpu::Problem;

namespace {

constexpr std::int64_t kNap = 10'000'000;

void stall_until(void* aborted) {
  while (!static_cast<std::atomic<bool>*>(aborted)->load()) {
    device::steady_clock().sleep_ns(kNap);
  }
}

void stall_for_ever(void*) {
  while (true) device::steady_clock().sleep_ns(kNap);
}

void turn_bit(void* byte) {
  *static_cast<std::byte*>(byte) ^= std::byte{1};
}

}  // namespace

FaultyGpu::~FaultyGpu() {
  aborted_.store(true);
  if (turned_ != nullptr) inner_.release_host(turned_);
}

Problem FaultyGpu::refused() {
  const std::int64_t call = calls_.fetch_add(1);
  if (fault_.kind != FaultKind::kRefused || call < fault_.call) return std::nullopt;
  return device::Failure{device::FailureKind::kAsyncError, "injected: call refused"};
}

Problem FaultyGpu::allocate(Bytes bytes, gpu::Address& to) {
  if (auto problem = refused()) return problem;
  return inner_.allocate(bytes, to);
}

Problem FaultyGpu::release(gpu::Address address) {
  Problem problem = refused();
  const Problem inner = inner_.release(address);  // nothing is left behind
  return problem ? problem : inner;
}

Problem FaultyGpu::allocate_async(Bytes bytes, gpu::Stream stream, gpu::Address& to) {
  if (auto problem = refused()) return problem;
  return inner_.allocate_async(bytes, stream, to);
}

Problem FaultyGpu::release_async(gpu::Address address, gpu::Stream stream) {
  if (auto problem = refused()) return problem;
  return inner_.release_async(address, stream);
}

Problem FaultyGpu::allocate_host(Bytes bytes, std::byte*& to) {
  if (auto problem = refused()) return problem;
  return inner_.allocate_host(bytes, to);
}

Problem FaultyGpu::make_stream(bool urgent, gpu::Stream& stream) {
  if (auto problem = refused()) return problem;
  return inner_.make_stream(urgent, stream);
}

Problem FaultyGpu::make_event(bool timed, gpu::Event& event) {
  if (auto problem = refused()) return problem;
  return inner_.make_event(timed, event);
}

Problem FaultyGpu::record(gpu::Event event, gpu::Stream stream) {
  if (auto problem = refused()) return problem;
  return inner_.record(event, stream);
}

Problem FaultyGpu::wait(gpu::Stream stream, gpu::Event event) {
  if (auto problem = refused()) return problem;
  return inner_.wait(stream, event);
}

Problem FaultyGpu::matmul(gpu::Stream stream, const gpu::Matmul& shape, gpu::Address a,
                          gpu::Address b, gpu::Address c) {
  if (auto problem = refused()) return problem;
  return inner_.matmul(stream, shape, a, b, c);
}

Problem FaultyGpu::sweep(gpu::Stream stream, gpu::Address to, gpu::Address from, Bytes bytes) {
  if (auto problem = refused()) return problem;
  return inner_.sweep(stream, to, from, bytes);
}

Problem FaultyGpu::copy_in(gpu::Stream stream, gpu::Address to, const std::byte* from,
                           Bytes bytes) {
  if (auto problem = refused()) return problem;
  return inner_.copy_in(stream, to, from, bytes);
}

Problem FaultyGpu::copy_out(gpu::Stream stream, std::byte* to, gpu::Address from, Bytes bytes) {
  if (auto problem = refused()) return problem;
  return inner_.copy_out(stream, to, from, bytes);
}

Problem FaultyGpu::call_host(gpu::Stream stream, void (*work)(void*), void* argument) {
  if (auto problem = refused()) return problem;
  return inner_.call_host(stream, work, argument);
}

Problem FaultyGpu::unique_id(gpu::UniqueId& id) {
  if (auto problem = refused()) return problem;
  return inner_.unique_id(id);
}

Problem FaultyGpu::join(const gpu::UniqueId& id, int size, int position,
                        gpu::Communicator& communicator) {
  if (auto problem = refused()) return problem;
  return inner_.join(id, size, position, communicator);
}

Problem FaultyGpu::collective(gpu::Communicator communicator, gpu::Stream stream,
                              const gpu::CollectiveCall& call) {
  if (auto problem = refused()) return problem;
  const bool now = armed_.load() && collectives_.fetch_add(1) == fault_.call;
  if (now && fault_.kind == FaultKind::kStall) {
    return inner_.call_host(stream, stall_until, &aborted_);
  }
  if (now && fault_.kind == FaultKind::kIgnoreAbort) {
    return inner_.call_host(stream, stall_for_ever, nullptr);
  }
  if (auto problem = inner_.collective(communicator, stream, call)) return problem;
  return now && fault_.kind == FaultKind::kCorrupt ? corrupt(stream, call) : std::nullopt;
}

/// In the middle of what this member gets of an all-reduce.
Problem FaultyGpu::corrupt(gpu::Stream stream, const gpu::CollectiveCall& call) {
  constexpr Bytes kOne{1};
  const gpu::Address at = call.output + call.elements * byte_size(call.dtype) / 2;
  if (auto problem = inner_.allocate_host(kOne, turned_)) return problem;
  if (auto problem = inner_.copy_out(stream, turned_, at, kOne)) return problem;
  if (auto problem = inner_.call_host(stream, turn_bit, turned_)) return problem;
  return inner_.copy_in(stream, at, turned_, kOne);
}

void FaultyGpu::abort(gpu::Communicator communicator) {
  aborted_.store(true);
  inner_.abort(communicator);
}

}  // namespace heddle::gpu_rank
