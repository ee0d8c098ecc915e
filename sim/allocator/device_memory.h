#pragma once
// What the caching allocator asks of the GPU: physical memory, by the segment or by the page.

#include "sim/base/units.h"

namespace heddle::allocator {

class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// False when the device has not that much left (cudaMalloc or cuMemCreate fails).
  virtual bool reserve(Bytes bytes) = 0;
  virtual void release(Bytes bytes) = 0;
  /// All that this process may use, the allocator's own included.
  virtual Bytes capacity() const = 0;
};

/// A device with `capacity` bytes for this process.
class LimitedDevice : public DeviceMemory {
 public:
  explicit LimitedDevice(Bytes capacity) : capacity_(capacity) {}
  bool reserve(Bytes bytes) override {
    if (bytes > capacity_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void release(Bytes bytes) override { used_ -= bytes; }
  Bytes capacity() const override { return capacity_; }
  /// From now on.
  void set_capacity(Bytes capacity) { capacity_ = capacity; }
  Bytes used() const { return used_; }

 private:
  Bytes capacity_;
  Bytes used_;
};

}  // namespace heddle::allocator
