#pragma once
// Ranks as processes meet through their parent: each sends its text, the parent sends all of them
// to each.

#include <condition_variable>
#include <functional>
#include <mutex>

#include "validator/device/assembly.h"
#include "validator/worker/wire.h"

namespace heddle::worker {

class SocketAssembly : public device::Assembly {
 public:
  /// `send` is false once the parent is gone.
  explicit SocketAssembly(std::function<bool(const Frame&)> send) : send_(std::move(send)) {}

  std::optional<std::vector<std::string>> gather(const std::string& mine) override;
  void abort() override;
  /// From the thread that reads what the parent sends.
  void deliver(std::vector<std::string> all);

 private:
  std::function<bool(const Frame&)> send_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::vector<std::string>> all_;
  bool aborted_ = false;
};

}  // namespace heddle::worker
