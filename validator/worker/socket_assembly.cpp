#include "validator/worker/socket_assembly.h"

#include <utility>

#include "validator/worker/messages.h"

namespace heddle::worker {

std::optional<std::vector<std::string>> SocketAssembly::gather(const std::string& mine) {
  if (!send_(encode(Offer{mine}))) return std::nullopt;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return aborted_ || all_.has_value(); });
  if (aborted_) return std::nullopt;
  return std::exchange(all_, std::nullopt);
}

void SocketAssembly::abort() {
  {
    const std::lock_guard lock(mutex_);
    aborted_ = true;
  }
  changed_.notify_all();
}

void SocketAssembly::deliver(std::vector<std::string> all) {
  {
    const std::lock_guard lock(mutex_);
    all_ = std::move(all);
  }
  changed_.notify_all();
}

}  // namespace heddle::worker
