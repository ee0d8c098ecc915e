#include "validator/device/host_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>

#include "sim/base/check.h"
#include "sim/base/units_text.h"

namespace heddle::device {
namespace {

Bytes page_size() {
  static const Bytes size{sysconf(_SC_PAGESIZE)};
  return size;
}

Bytes whole_pages(Bytes bytes) {
  const std::int64_t page = page_size().value;
  return {(bytes.value + page - 1) / page * page};
}

}  // namespace

HostMemory::~HostMemory() {
  reset(true);
}

void HostMemory::reset(bool return_memory) {
  for (const auto& [id, block] : blocks_) unmap(block.address, block.bytes);
  blocks_.clear();
  release_kept();
  count_ = {};
  return_memory_ = return_memory;
}

void HostMemory::release_kept() {
  for (const auto& [bytes, addresses] : kept_) {
    for (void* address : addresses) unmap(address, {bytes});
  }
  kept_.clear();
}

/// Mapped and touched, a byte of every page; nullptr if the system refuses.
void* HostMemory::map(Bytes bytes) {
  const Bytes size = whole_pages(bytes);
  void* address = mmap(nullptr, static_cast<std::size_t>(size.value), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  auto* first = static_cast<volatile char*>(address);
  for (std::int64_t at = 0; at < size.value; at += page_size().value) first[at] = 1;
  mapped_ += size;
  return address;
}

void HostMemory::unmap(void* address, Bytes bytes) {
  const Bytes size = whole_pages(bytes);
  munmap(address, static_cast<std::size_t>(size.value));
  mapped_ -= size;
}

std::optional<Failure> HostMemory::allocate(schedule::BufferId id, const schedule::Buffer& buffer) {
  HEDDLE_CHECK(!blocks_.contains(id.value), "a buffer that is allocated already");
  const Bytes left = capacity_ - count_.total();
  Block block{nullptr, buffer.bytes, buffer.category};
  if (buffer.bytes <= left) {
    auto kept = kept_.find(buffer.bytes.value);
    if (kept != kept_.end() && !kept->second.empty()) {
      block.address = kept->second.back();
      kept->second.pop_back();
    } else {
      block.address = map(buffer.bytes);
    }
  }
  if (block.address == nullptr) {
    return Failure{FailureKind::kOutOfMemory,
                   fmt::format("{} needed, {} free of {}", format_bytes(buffer.bytes),
                               format_bytes(left), format_bytes(capacity_))};
  }
  blocks_.emplace(id.value, block);
  count_.allocated[static_cast<std::size_t>(block.category)] += block.bytes;
  return std::nullopt;
}

void HostMemory::free(schedule::BufferId id) {
  const auto found = blocks_.find(id.value);
  HEDDLE_CHECK(found != blocks_.end(), "a buffer that is not allocated");
  const Block block = found->second;
  blocks_.erase(found);
  count_.allocated[static_cast<std::size_t>(block.category)] -= block.bytes;
  if (return_memory_) {
    unmap(block.address, block.bytes);
  } else {
    kept_[block.bytes.value].push_back(block.address);
  }
}

Bytes resident_set() {
  std::array<char, 128> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t length = read(file, text.data(), text.size() - 1);
  close(file);
  if (length <= 0) return {};
  const char* end = text.data() + length;
  const char* second = static_cast<const char*>(std::memchr(text.data(), ' ', text.size()));
  std::int64_t pages = 0;
  if (second != nullptr) std::from_chars(second + 1, end, pages);
  return {pages * page_size().value};
}

}  // namespace heddle::device
