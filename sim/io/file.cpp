#include "sim/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "sim/base/error.h"

namespace heddle::io {
namespace {

std::string reason() {
  return std::generic_category().message(errno);
}

/// A POSIX file that closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : value_(::open(path.c_str(), flags, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool valid() const { return value_ >= 0; }
  int get() const { return value_; }

 private:
  int value_;
};

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS;  // pipes cannot be synced
}

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::kCannotWrite, fmt::format("cannot write {}: {}", path, why));
}

/// Devices and pipes are written to as they are; renaming over them would replace them.
bool is_special(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

/// A killed run may have left one of these behind, and process ids come again in containers.
std::string free_name_beside(const std::string& path) {
  struct stat info {};
  for (int n = 0;; ++n) {
    std::string name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), n);
    if (::lstat(name.c_str(), &info) != 0) return name;
  }
}

void write_in_place(const std::string& path, std::string_view text) {
  const Descriptor file(path, O_WRONLY | O_CLOEXEC);
  if (!file.valid() || !write_all(file.get(), text)) cannot_write(path, reason());
}

}  // namespace

std::string read_file(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorKind::kCannotRead, fmt::format("cannot read {}: {}", path, why));
  };
  const Descriptor file(path, O_RDONLY | O_CLOEXEC);
  if (!file.valid()) fail(reason());
  std::string text;
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(reason());
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
    if (text.size() > kMaxFileBytes) fail(fmt::format("larger than {} bytes", kMaxFileBytes));
  }
}

void write_file(const std::string& path, std::string_view text) {
  if (is_special(path)) return write_in_place(path, text);
  const std::string temporary = free_name_beside(path);
  {
    const Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
    if (!file.valid()) cannot_write(path, reason());
    if (!write_all(file.get(), text)) {
      const std::string why = reason();
      std::remove(temporary.c_str());
      cannot_write(path, why);
    }
  }
  if (std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const std::string why = reason();
  std::remove(temporary.c_str());
  cannot_write(path, why);
}

}  // namespace heddle::io
