#pragma once
// Memory that the processes of one machine share: a file of zeros, mapped by each.

#include <cstddef>
#include <span>
#include <string>

namespace heddle::device {

class SharedRegion {
 public:
  /// Maps the whole file; empty if it cannot be.
  explicit SharedRegion(const std::string& path);
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;
  ~SharedRegion();
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

/// Error(kCannotWrite) if the file cannot be made that large.
void make_region(const std::string& path, std::size_t bytes);

}  // namespace heddle::device
