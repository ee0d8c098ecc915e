// What both sides of the GPU interface must do alike: the host side here, CUDA where there is one.

#include "validator/gpu/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include "validator/device/clock.h"
#include "validator/device/collective_layout.h"
#include "validator/gpu/cuda_gpu.h"
#include "validator/gpu/host_gpu.h"

namespace heddle::gpu {
namespace {

using schedule::DType;
using ::testing::HasSubstr;

constexpr std::int64_t kPatienceNs = 30'000'000'000;

/// Opens GPU number `n`; nullptr if there are not that many.
struct Side {
  std::string name;
  std::function<std::unique_ptr<Gpu>(int n)> open;
};

std::unique_ptr<Gpu> open_host(int) {
  return std::make_unique<HostGpu>(HostGpuOptions{mebibytes(64), testing::TempDir()});
}

std::unique_ptr<Gpu> open_cuda_gpu(int n) {
  static const CudaLibraries cuda = load_cuda();
  const CudaMachine machine = look_at_machine(cuda);
  std::string problem;
  return n < machine.devices ? open_cuda(cuda, n, problem) : nullptr;
}

class GpuTest : public testing::TestWithParam<Side> {
 protected:
  void SetUp() override {
    gpu_ = GetParam().open(0);
    if (!gpu_) GTEST_SKIP() << "cannot run here: no GPU";
    ok(gpu_->make_stream(false, stream_));
    ok(gpu_->make_event(true, event_));
  }
  static void ok(const Problem& problem) { ASSERT_FALSE(problem) << problem->text; }
  void settle(Gpu& gpu, Stream stream, Event event) {
    ok(gpu.record(event, stream));
    const std::int64_t end = device::steady_clock().now_ns() + kPatienceNs;
    for (bool reached = false; !reached;) {
      ok(gpu.query(event, reached));
      ASSERT_LT(device::steady_clock().now_ns(), end);
    }
  }
  Address device_copy(const std::vector<float>& values) {
    Address address = nullptr;
    std::byte* pinned = nullptr;
    const Bytes bytes{static_cast<std::int64_t>(4 * values.size())};
    ok(gpu_->allocate(bytes, address));
    ok(gpu_->allocate_host(bytes, pinned));
    std::memcpy(pinned, values.data(), 4 * values.size());
    ok(gpu_->copy_in(stream_, address, pinned, bytes));
    return address;
  }
  std::vector<float> host_copy(Address address, std::size_t count) {
    std::byte* pinned = nullptr;
    const Bytes bytes{static_cast<std::int64_t>(4 * count)};
    ok(gpu_->allocate_host(bytes, pinned));
    ok(gpu_->copy_out(stream_, pinned, address, bytes));
    settle(*gpu_, stream_, event_);
    std::vector<float> values(count);
    std::memcpy(values.data(), pinned, 4 * count);
    return values;
  }

  std::unique_ptr<Gpu> gpu_;
  Stream stream_ = nullptr;
  Event event_ = nullptr;
};

/// 2 x (2 x 3 times 3 x 2), worked out by hand.
TEST_P(GpuTest, MultipliesRowMajorMatricesInBatches) {
  const Address a = device_copy({1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0});
  const Address b = device_copy({7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6});
  const Address c = device_copy(std::vector<float>(8));
  ok(gpu_->matmul(stream_, {DType::kFloat32, 2, 2, 2, 3}, a, b, c));
  EXPECT_EQ(host_copy(c, 8), (std::vector<float>{58, 64, 139, 154, 1, 2, 3, 4}));
}

TEST_P(GpuTest, SweepsCarryBytes) {
  std::vector<float> values(1024);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Address from = device_copy(values);
  const Address to = device_copy(std::vector<float>(1024));
  ok(gpu_->sweep(stream_, to, from, Bytes{4096}));
  EXPECT_EQ(host_copy(to, 1024), values);
}

/// The other stream is held by a host function until the flag is up.
TEST_P(GpuTest, AWaitHoldsAStreamUntilTheEvent) {
  Stream other = nullptr;
  Event there = nullptr;
  std::atomic<bool> flag = false;
  ok(gpu_->make_stream(true, other));
  ok(gpu_->make_event(false, there));
  const auto hold = [](void* up) {
    while (!static_cast<std::atomic<bool>*>(up)->load()) std::this_thread::yield();
  };
  ok(gpu_->call_host(other, hold, &flag));
  ok(gpu_->record(there, other));
  ok(gpu_->wait(stream_, there));
  ok(gpu_->record(event_, stream_));
  bool reached = true;
  ok(gpu_->query(event_, reached));
  EXPECT_FALSE(reached);
  flag.store(true);
  settle(*gpu_, stream_, event_);
}

TEST_P(GpuTest, TellsTheTimeBetweenEvents) {
  Event before = nullptr;
  ok(gpu_->make_event(true, before));
  ok(gpu_->record(before, stream_));
  ok(gpu_->call_host(
      stream_, [](void*) { device::steady_clock().sleep_ns(20'000'000); }, nullptr));
  settle(*gpu_, stream_, event_);
  std::int64_t ns = 0;
  ok(gpu_->elapsed(before, event_, ns));
  EXPECT_GE(ns, 19'000'000);
  EXPECT_LT(ns, 10'000'000'000);
}

TEST_P(GpuTest, SaysWhatIsNeededAndFreeAndStaysUsable) {
  MemoryInfo before;
  ok(gpu_->memory(before));
  Address address = nullptr;
  const Problem problem = gpu_->allocate(before.total + mebibytes(1), address);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->kind, device::FailureKind::kOutOfMemory);
  EXPECT_THAT(problem->text, HasSubstr(" needed, "));
  ok(gpu_->allocate(mebibytes(2), address));
  MemoryInfo after;
  ok(gpu_->memory(after));
  EXPECT_GE((before.free - after.free).value, mebibytes(2).value);
  ok(gpu_->release(address));
}

TEST_P(GpuTest, MemoryComesAndGoesInTheOrderOfAStream) {
  Address address = nullptr;
  ok(gpu_->allocate_async(mebibytes(1), stream_, address));
  ok(gpu_->release_async(address, stream_));
  settle(*gpu_, stream_, event_);
}

/// Members of a communicator, a thread each; nullptr where there are too few GPUs.
class Members {
 public:
  Members(const Side& side, int size) {
    for (int n = 0; n < size; ++n) gpus_.push_back(side.open(n));
  }
  bool enough() const { return gpus_.back() != nullptr; }
  template <typename Act>
  void each(Act act) {
    UniqueId id{};
    ASSERT_FALSE(gpus_.front()->unique_id(id));
    std::vector<std::thread> threads;
    for (std::size_t n = 0; n < gpus_.size(); ++n) {
      threads.emplace_back([&, n] { act(*gpus_[n], id, static_cast<int>(n)); });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  std::vector<std::unique_ptr<Gpu>> gpus_;
};

Problem await_settled(const Gpu& gpu, Communicator communicator) {
  for (bool settled = false; !settled;) {
    if (auto problem = gpu.settled(communicator, settled)) return problem;
    device::steady_clock().sleep_ns(1'000'000);
  }
  return std::nullopt;
}

TEST_P(GpuTest, AddsUpHalfFloats) {
  Members members(GetParam(), 2);
  if (!members.enough()) GTEST_SKIP() << "cannot run here: fewer than 2 GPUs";
  for (const DType dtype : {DType::kBFloat16, DType::kFloat16}) {
    members.each([&](Gpu& gpu, const UniqueId& id, int position) {
      device::CollectiveView view;
      view.collective = {schedule::CollectiveKind::kAllReduce, schedule::CommunicatorId{0},
                         Bytes{600}, dtype};
      view.size = 2;
      view.position = position;
      view.arithmetic = device::Arithmetic::kOfType;
      Communicator communicator = nullptr;
      Stream stream = nullptr;
      Event event = nullptr;
      Address in = nullptr;
      Address out = nullptr;
      std::byte* pinned = nullptr;
      ok(gpu.join(id, 2, position, communicator));
      ok(await_settled(gpu, communicator));
      ok(gpu.make_stream(true, stream));
      ok(gpu.make_event(false, event));
      ok(gpu.allocate(Bytes{600}, in));
      ok(gpu.allocate(Bytes{600}, out));
      ok(gpu.allocate_host(Bytes{600}, pinned));
      fill_input(view, {pinned, 600});
      ok(gpu.copy_in(stream, in, pinned, Bytes{600}));
      ok(gpu.collective(communicator, stream, {view.collective.kind, dtype, 300, 150, in, out}));
      ok(gpu.copy_out(stream, pinned, out, Bytes{600}));
      settle(gpu, stream, event);
      EXPECT_EQ(wrong_output(view, {pinned, 600}), std::nullopt);
      gpu.leave(communicator);
    });
  }
}

/// The second member never comes to the collective.
TEST_P(GpuTest, AnAbortEndsWhatHangs) {
  Members members(GetParam(), 2);
  if (!members.enough()) GTEST_SKIP() << "cannot run here: fewer than 2 GPUs";
  members.each([&](Gpu& gpu, const UniqueId& id, int position) {
    Communicator communicator = nullptr;
    Stream stream = nullptr;
    Event event = nullptr;
    Address memory = nullptr;
    ok(gpu.join(id, 2, position, communicator));
    ok(await_settled(gpu, communicator));
    ok(gpu.make_stream(true, stream));
    ok(gpu.make_event(false, event));
    ok(gpu.allocate(Bytes{4096}, memory));
    if (position == 0) {
      ok(gpu.collective(
          communicator, stream,
          {schedule::CollectiveKind::kAllReduce, DType::kFloat32, 1024, 512, memory, memory}));
    }
    device::steady_clock().sleep_ns(50'000'000);
    gpu.abort(communicator);
    settle(gpu, stream, event);
  });
}

INSTANTIATE_TEST_SUITE_P(Sides, GpuTest,
                         testing::Values(Side{"host", open_host}, Side{"cuda", open_cuda_gpu}),
                         [](const auto& side) { return side.param.name; });

}  // namespace
}  // namespace heddle::gpu
