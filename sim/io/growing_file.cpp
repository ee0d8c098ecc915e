#include "sim/io/growing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sim/base/error.h"

namespace heddle::io {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::kCannotWrite, fmt::format("cannot write {}: {}", path, why));
}

std::string reason() {
  return std::generic_category().message(errno);
}

}  // namespace

GrowingFile::GrowingFile(const std::string& path, std::size_t keep) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path, reason());
  std::string why;
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    why = errno == EWOULDBLOCK ? "another run is writing it" : reason();
  } else if ((::ftruncate(file_, static_cast<off_t>(keep)) != 0 && errno != EINVAL) ||
             (::lseek(file_, 0, SEEK_END) < 0 && errno != ESPIPE)) {  // pipes have no length
    why = reason();
  }
  if (why.empty()) return;
  ::close(file_);
  fail(path, why);
}

GrowingFile::~GrowingFile() {
  ::close(file_);
}

void GrowingFile::add(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, reason());
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace heddle::io
