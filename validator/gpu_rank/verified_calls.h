#pragma once
// Collectives whose data is known: a stream's host function fills a pinned buffer, which is copied
// in before the collective; what comes out is copied back and looked at by another.

#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "validator/device/collective_layout.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu_rank {

/// One stream's. The pinned buffer serves one collective after the other, as the stream does.
class VerifiedCalls {
 public:
  /// `gpu` must outlive it; `wrong` hears of data that is not what it must be, on another thread.
  VerifiedCalls(gpu::Gpu& gpu, gpu::Stream stream, std::function<void(const std::string&)> wrong)
      : gpu_(gpu), stream_(stream), wrong_(std::move(wrong)) {}
  VerifiedCalls(const VerifiedCalls&) = delete;
  VerifiedCalls& operator=(const VerifiedCalls&) = delete;
  ~VerifiedCalls();

  gpu::Problem prepare(Bytes most);
  gpu::Problem before(const device::CollectiveView& view, gpu::Address input);
  gpu::Problem after(const device::CollectiveView& view, gpu::Address output);
  /// Of the run before; the stream must be idle.
  void clear() { tasks_.clear(); }

 private:
  struct Task {
    VerifiedCalls* owner = nullptr;
    device::CollectiveView view;
  };
  static void fill(void* task);
  static void check(void* task);

  gpu::Gpu& gpu_;
  gpu::Stream stream_;
  std::function<void(const std::string&)> wrong_;
  std::byte* pinned_ = nullptr;
  Bytes size_;
  std::deque<Task> tasks_;  // stay where they are until clear()
};

}  // namespace heddle::gpu_rank
