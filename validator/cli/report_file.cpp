#include "validator/cli/report_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "sim/base/error.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"

namespace heddle::validator_cli {
namespace {

int open_for_writing(const std::string& path, int more) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | more, 0644);
  if (file >= 0) return file;
  throw Error(ErrorKind::kCannotWrite, "cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace

ReportFile::ReportFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  lock_ = open_for_writing(path_ + ".lock", 0);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw cli::UsageError(path_ + " is being written by another run; name another file or wait");
  }
  try {
    journal_ = open_for_writing(path_ + ".journal", O_TRUNC);
  } catch (const Error&) {
    unlink((path_ + ".lock").c_str());
    close(lock_);
    throw;
  }
}

ReportFile::~ReportFile() {
  if (journal_ >= 0) close(journal_);
  if (lock_ < 0) return;
  unlink((path_ + ".lock").c_str());
  close(lock_);
}

void ReportFile::note(const std::string& line) {
  if (journal_ < 0 || !problem_.empty()) return;
  const std::string text = line + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(journal_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      problem_ = "cannot write " + path_ + ".journal: " + std::strerror(errno);
      return;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void ReportFile::write(const std::string& text) {
  if (path_.empty()) return;
  io::write_file(path_, text);
  if (!problem_.empty()) throw Error(ErrorKind::kCannotWrite, problem_);
  unlink((path_ + ".journal").c_str());
}

}  // namespace heddle::validator_cli
