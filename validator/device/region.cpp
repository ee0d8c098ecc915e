#include "validator/device/region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/error.h"

namespace heddle::device {

SharedRegion::SharedRegion(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  struct stat info {};
  if (fstat(file, &info) == 0 && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (address != MAP_FAILED) bytes_ = {static_cast<std::byte*>(address), size};
  }
  close(file);
}

SharedRegion::~SharedRegion() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

void make_region(const std::string& path, std::size_t bytes) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool made = file >= 0 && posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0;
  const std::string reason = std::strerror(errno);
  if (file >= 0) close(file);
  if (!made) throw Error(ErrorKind::kCannotWrite, "cannot make " + path + ": " + reason);
}

}  // namespace heddle::device
