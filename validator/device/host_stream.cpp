#include "validator/device/host_stream.h"

#include <utility>

namespace heddle::device {

HostStream::HostStream(std::function<void(const StreamTask&)> work)
    : work_(std::move(work)), thread_([this] { loop(); }) {}

HostStream::~HostStream() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HostStream::give(const StreamTask& task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(task);
    given_.fetch_add(1);
  }
  changed_.notify_one();
}

void HostStream::drop() {
  const std::lock_guard lock(mutex_);
  done_.fetch_add(tasks_.size());
  tasks_.clear();
}

void HostStream::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
    if (ending_) return;
    const StreamTask task = tasks_.front();
    tasks_.pop_front();
    lock.unlock();
    op_.store(task.op);
    running_.store(true);
    work_(task);
    running_.store(false);
    done_.fetch_add(1);
    lock.lock();
  }
}

}  // namespace heddle::device
