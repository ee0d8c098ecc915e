#pragma once
// Events of a GPU that are used again and again: making one takes longer than recording it.

#include <vector>

#include "validator/gpu/gpu.h"

namespace heddle::gpu_rank {

class EventPool {
 public:
  /// `gpu` must outlive it.
  EventPool(gpu::Gpu& gpu, bool timed) : gpu_(gpu), timed_(timed) {}
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;
  ~EventPool() {
    for (const gpu::Event event : free_) gpu_.destroy(event);
  }
  gpu::Problem take(gpu::Event& event) {
    if (free_.empty()) return gpu_.make_event(timed_, event);
    event = free_.back();
    free_.pop_back();
    return std::nullopt;
  }
  void give_back(gpu::Event event) { free_.push_back(event); }

 private:
  gpu::Gpu& gpu_;
  bool timed_;
  std::vector<gpu::Event> free_;
};

}  // namespace heddle::gpu_rank
