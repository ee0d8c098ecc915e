#pragma once
// Files that fail on purpose: the k-th call that changes a file in a folder. The linker hands the
// program's open, write, fsync, ftruncate and rename to this (tests/CMakeLists.txt); other
// processes and the C++ library keep theirs.

#include <string>

namespace heddle::test {

class FailingFiles {
 public:
  /// From now on; `call` counts from 1. Of a journal only the first line counts, it has many.
  FailingFiles(const std::string& folder, int call, int error);
  ~FailingFiles();
  FailingFiles(const FailingFiles&) = delete;
  FailingFiles& operator=(const FailingFiles&) = delete;

  /// "write r.json.journal", or "" if so many calls were never made.
  const std::string& failed() const;
};

}  // namespace heddle::test
