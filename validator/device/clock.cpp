#include "validator/device/clock.h"

#include <chrono>
#include <thread>

namespace heddle::device {
namespace {

class SteadyClock : public Clock {
 public:
  std::int64_t now_ns() const override {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }
  void sleep_ns(std::int64_t ns) const override {
    std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
  }
};

}  // namespace

const Clock& steady_clock() {
  static const SteadyClock clock;
  return clock;
}

}  // namespace heddle::device
