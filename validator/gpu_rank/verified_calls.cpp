#include "validator/gpu_rank/verified_calls.h"

namespace heddle::gpu_rank {

using gpu::Problem;

namespace {

Bytes bytes_of(std::size_t bytes) {
  return {static_cast<std::int64_t>(bytes)};
}

}  // namespace

VerifiedCalls::~VerifiedCalls() {
  if (pinned_ != nullptr) gpu_.release_host(pinned_);
}

/// Grown when a run asks for it: a run that only times needs none.
Problem VerifiedCalls::prepare(Bytes most) {
  if (most <= size_) return std::nullopt;
  if (pinned_ != nullptr) {
    if (auto problem = gpu_.release_host(pinned_)) return problem;
    pinned_ = nullptr;
  }
  size_ = most;
  return gpu_.allocate_host(most, pinned_);
}

Problem VerifiedCalls::before(const device::CollectiveView& view, gpu::Address input) {
  tasks_.push_back({this, view});
  if (auto problem = gpu_.call_host(stream_, fill, &tasks_.back())) return problem;
  return gpu_.copy_in(stream_, input, pinned_, bytes_of(view.input_bytes()));
}

Problem VerifiedCalls::after(const device::CollectiveView& view, gpu::Address output) {
  if (auto problem = gpu_.copy_out(stream_, pinned_, output, bytes_of(view.output_bytes()))) {
    return problem;
  }
  return gpu_.call_host(stream_, check, &tasks_.back());
}

void VerifiedCalls::fill(void* task) {
  const auto& [owner, view] = *static_cast<Task*>(task);
  fill_input(view, {owner->pinned_, view.input_bytes()});
}

void VerifiedCalls::check(void* task) {
  const auto& [owner, view] = *static_cast<Task*>(task);
  const auto wrong = wrong_output(view, {owner->pinned_, view.output_bytes()});
  if (wrong) owner->wrong_(device::to_text(view) + ": " + *wrong);
}

}  // namespace heddle::gpu_rank
