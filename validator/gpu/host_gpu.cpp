#include "validator/gpu/host_gpu.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/units_text.h"
#include "validator/device/clock.h"
#include "validator/gpu/host_matmul.h"

namespace heddle::gpu {
namespace {

std::size_t size_of(Bytes bytes) {
  return static_cast<std::size_t>(bytes.value);
}

}  // namespace

HostGpu::HostGpu(HostGpuOptions options) : options_(std::move(options)) {
  facts_.name = "host threads";
  facts_.place = "no device";
  facts_.blas = "Eigen";
  facts_.nccl = "shared memory";
  facts_.sweeps = "memcpy";
}

HostGpu::~HostGpu() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (auto& [handle, communicator] : communicators_) communicator->abort();
  streams_.clear();
}

Problem HostGpu::allocate(Bytes bytes, Address& to) {
  const std::lock_guard lock(mutex_);
  const Bytes left = options_.memory - used_;
  if (bytes > left) {
    return device::Failure{device::FailureKind::kOutOfMemory,
                           fmt::format("{} needed, {} free of {}", format_bytes(bytes),
                                       format_bytes(left), format_bytes(options_.memory))};
  }
  // Not initialised: pages come when they are touched.
  Block block{bytes, std::unique_ptr<std::byte[]>(new std::byte[size_of(bytes)])};
  to = block.memory.get();
  used_ += bytes;
  blocks_.emplace(to, std::move(block));
  return std::nullopt;
}

Problem HostGpu::release(Address address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  HEDDLE_CHECK(found != blocks_.end(), "memory that is not allocated");
  used_ -= found->second.bytes;
  blocks_.erase(found);
  return std::nullopt;
}

Problem HostGpu::allocate_async(Bytes bytes, Stream, Address& to) {
  return allocate(bytes, to);
}

Problem HostGpu::release_async(Address address, Stream stream) {
  return give(stream, [this, address] { release(address); });
}

Problem HostGpu::allocate_host(Bytes bytes, std::byte*& to) {
  const std::lock_guard lock(mutex_);
  Block block{bytes, std::make_unique<std::byte[]>(size_of(bytes))};
  to = block.memory.get();
  pinned_.emplace(to, std::move(block));
  return std::nullopt;
}

Problem HostGpu::release_host(std::byte* address) {
  const std::lock_guard lock(mutex_);
  pinned_.erase(address);
  return std::nullopt;
}

Problem HostGpu::memory(MemoryInfo& info) const {
  const std::lock_guard lock(mutex_);
  info = {options_.memory - used_, options_.memory};
  return std::nullopt;
}

std::optional<Bytes> HostGpu::process_memory() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

Problem HostGpu::make_stream(bool, Stream& stream) {
  auto queue = std::make_unique<WorkQueue>();
  stream = reinterpret_cast<Stream>(queue.get());
  const std::lock_guard lock(mutex_);
  streams_.emplace(stream, std::move(queue));
  return std::nullopt;
}

void HostGpu::destroy(Stream stream) {
  std::unique_ptr<WorkQueue> queue;
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream);
  queue = std::move(found->second);
  streams_.erase(found);
}

Problem HostGpu::give(Stream stream, std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  streams_.at(stream)->give(std::move(task));
  return std::nullopt;
}

Problem HostGpu::make_event(bool, Event& event) {
  auto made = std::make_unique<EventState>();
  event = reinterpret_cast<Event>(made.get());
  const std::lock_guard lock(mutex_);
  events_.emplace(event, std::move(made));
  return std::nullopt;
}

void HostGpu::destroy(Event event) {
  const std::lock_guard lock(mutex_);
  events_.erase(event);
}

Problem HostGpu::record(Event event, Stream stream) {
  const std::lock_guard lock(mutex_);
  EventState* const state = &this->state(event);
  const std::uint64_t number = ++state->recorded;
  streams_.at(stream)->give([this, state, number] {
    {
      const std::lock_guard inner(mutex_);
      state->reached = number;
      state->time_ns = device::steady_clock().now_ns();
    }
    changed_.notify_all();
  });
  return std::nullopt;
}

Problem HostGpu::wait(Stream stream, Event event) {
  const std::lock_guard lock(mutex_);
  const EventState* const state = &this->state(event);
  const std::uint64_t number = state->recorded;
  streams_.at(stream)->give([this, state, number] {
    std::unique_lock inner(mutex_);
    changed_.wait(inner, [&] { return ending_ || state->reached >= number; });
  });
  return std::nullopt;
}

Problem HostGpu::query(Event event, bool& reached) const {
  const std::lock_guard lock(mutex_);
  reached = state(event).reached == state(event).recorded;
  return std::nullopt;
}

Problem HostGpu::elapsed(Event from, Event to, std::int64_t& ns) const {
  const std::lock_guard lock(mutex_);
  ns = state(to).time_ns - state(from).time_ns;
  return std::nullopt;
}

Problem HostGpu::matmul(Stream stream, const Matmul& shape, Address a, Address b, Address c) {
  return give(stream, [=] { host_matmul(shape, a, b, c); });
}

Problem HostGpu::sweep(Stream stream, Address to, Address from, Bytes bytes) {
  return give(stream, [=] { std::memcpy(to, from, size_of(bytes)); });
}

Problem HostGpu::copy_in(Stream stream, Address to, const std::byte* from, Bytes bytes) {
  return give(stream, [=] { std::memcpy(to, from, size_of(bytes)); });
}

Problem HostGpu::copy_out(Stream stream, std::byte* to, Address from, Bytes bytes) {
  return give(stream, [=] { std::memcpy(to, from, size_of(bytes)); });
}

Problem HostGpu::call_host(Stream stream, void (*work)(void*), void* argument) {
  return give(stream, [=] { work(argument); });
}

Problem HostGpu::unique_id(UniqueId& id) {
  id = host_unique_id(options_.folder);
  return std::nullopt;
}

Problem HostGpu::join(const UniqueId& id, int size, int position, Communicator& communicator) {
  auto member = std::make_unique<HostCommunicator>(id, size, position);
  communicator = reinterpret_cast<Communicator>(member.get());
  const std::lock_guard lock(mutex_);
  communicators_.emplace(communicator, std::move(member));
  return std::nullopt;
}

Problem HostGpu::settled(Communicator communicator, bool& settled) const {
  const std::lock_guard lock(mutex_);
  settled = member(communicator).joined();
  return member(communicator).failure();
}

Problem HostGpu::collective(Communicator communicator, Stream stream, const CollectiveCall& call) {
  const std::lock_guard lock(mutex_);
  HostCommunicator* const joined = &member(communicator);
  streams_.at(stream)->give([=] { joined->run(call); });
  return std::nullopt;
}

void HostGpu::leave(Communicator communicator) {
  std::unique_ptr<HostCommunicator> gone;
  const std::lock_guard lock(mutex_);
  const auto found = communicators_.find(communicator);
  gone = std::move(found->second);
  communicators_.erase(found);
}

void HostGpu::abort(Communicator communicator) {
  const std::lock_guard lock(mutex_);
  member(communicator).abort();
}

}  // namespace heddle::gpu
