#pragma once
// A rank's memory on the host: as much as it is said to have, in blocks that are really mapped and
// touched, counted by category as they are handed out. Freed blocks either go back to the system,
// so that the process's resident set follows, or are kept by size, so that a step pays for page
// faults once.

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/device/device.h"

namespace heddle::device {

class HostMemory {
 public:
  explicit HostMemory(Bytes capacity) : capacity_(capacity) {}
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory();

  /// Everything goes back to the system.
  void reset(bool return_memory);
  std::optional<Failure> allocate(schedule::BufferId id, const schedule::Buffer& buffer);
  void free(schedule::BufferId id);
  const MemoryCount& count() const { return count_; }
  /// Mapped now, the blocks that are kept included.
  Bytes mapped() const { return mapped_; }

 private:
  struct Block {
    void* address = nullptr;
    Bytes bytes;
    schedule::MemoryCategory category = schedule::MemoryCategory::kTemporary;
  };
  void* map(Bytes bytes);
  void unmap(void* address, Bytes bytes);
  void release_kept();

  Bytes capacity_;
  bool return_memory_ = false;
  MemoryCount count_;
  Bytes mapped_;
  std::unordered_map<std::uint32_t, Block> blocks_;
  std::map<std::int64_t, std::vector<void*>> kept_;
};

/// Resident set of this process, from the system.
Bytes resident_set();

}  // namespace heddle::device
