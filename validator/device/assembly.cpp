#include "validator/device/assembly.h"

namespace heddle::device {

/// A result stands until the next round ends, which this rank must have joined.
std::optional<std::vector<std::string>> ThreadAssembly::gather(const std::string& mine) {
  std::unique_lock lock(table_.mutex_);
  table_.texts_[static_cast<std::size_t>(rank_)] = mine;
  const std::uint64_t round = table_.round_;
  if (++table_.arrived_ == table_.texts_.size()) {
    table_.result_ = table_.texts_;
    table_.arrived_ = 0;
    ++table_.round_;
    table_.changed_.notify_all();
  }
  table_.changed_.wait(lock, [&] { return table_.aborted_ || table_.round_ != round; });
  if (table_.aborted_) return std::nullopt;
  return table_.result_;
}

void ThreadAssembly::abort() {
  {
    const std::lock_guard lock(table_.mutex_);
    table_.aborted_ = true;
  }
  table_.changed_.notify_all();
}

}  // namespace heddle::device
