#include "tests/unit/validator_cli/failing_files.h"

#include <fcntl.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

namespace heddle::test {
namespace {

constexpr int kJournalLines = 1;

struct Plan {
  std::string folder;  // empty: nothing fails
  int call = 0;
  int error = 0;
  int made = 0;
  int journal_lines = 0;
  std::string failed;
  std::map<int, std::string> open;  // names by descriptor
};

std::mutex mutex;
Plan plan;

/// The name in the folder; "" elsewhere.
std::string name_of(const char* path) {
  const std::filesystem::path file(path);
  return !plan.folder.empty() && file.parent_path() == plan.folder ? file.filename().string() : "";
}

/// Whether this call is the one; sets errno.
bool fails(const std::string& what, const std::string& name) {
  if (++plan.made != plan.call) return false;
  plan.failed = what + " " + name;
  errno = plan.error;
  return true;
}

bool fails(const std::string& what, int file) {
  const auto found = plan.open.find(file);
  if (found == plan.open.end()) return false;
  const bool is_line = what == "write" && found->second.ends_with(".journal");
  if (is_line && ++plan.journal_lines > kJournalLines) return false;
  return fails(what, found->second);
}

}  // namespace

FailingFiles::FailingFiles(const std::string& folder, int call, int error) {
  const std::lock_guard lock(mutex);
  plan = {};
  plan.folder = folder;
  plan.call = call;
  plan.error = error;
}

FailingFiles::~FailingFiles() {
  const std::lock_guard lock(mutex);
  plan = {};
}

const std::string& FailingFiles::failed() const {
  return plan.failed;
}

}  // namespace heddle::test

// What the linker puts in the place of the C library's.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,cert-dcl50-cpp)
namespace files = heddle::test;

extern "C" {

int __real_open(const char* path, int flags, ...);
int __real_close(int file);
ssize_t __real_write(int file, const void* data, size_t bytes);
int __real_fsync(int file);
int __real_ftruncate(int file, off_t bytes);
int __real_rename(const char* from, const char* to);

int __wrap_open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  const std::lock_guard lock(files::mutex);
  const std::string name = (flags & O_ACCMODE) == O_RDONLY ? "" : files::name_of(path);
  if (!name.empty() && files::fails("open", name)) return -1;
  const int file = __real_open(path, flags, mode);
  if (file >= 0 && !name.empty()) files::plan.open[file] = name;
  return file;
}

int __wrap_close(int file) {
  const std::lock_guard lock(files::mutex);
  files::plan.open.erase(file);
  return __real_close(file);
}

ssize_t __wrap_write(int file, const void* data, size_t bytes) {
  const std::lock_guard lock(files::mutex);
  return files::fails("write", file) ? -1 : __real_write(file, data, bytes);
}

int __wrap_fsync(int file) {
  const std::lock_guard lock(files::mutex);
  return files::fails("fsync", file) ? -1 : __real_fsync(file);
}

int __wrap_ftruncate(int file, off_t bytes) {
  const std::lock_guard lock(files::mutex);
  return files::fails("ftruncate", file) ? -1 : __real_ftruncate(file, bytes);
}

int __wrap_rename(const char* from, const char* to) {
  const std::lock_guard lock(files::mutex);
  const std::string name = files::name_of(to);
  return !name.empty() && files::fails("rename", name) ? -1 : __real_rename(from, to);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,cert-dcl50-cpp)
