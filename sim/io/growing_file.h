#pragma once
// A file that results are added to while they come, whole lines at a time.

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::io {

class GrowingFile {
 public:
  /// Keeps the first `keep` bytes of what is there, drops the rest; makes the file if there is
  /// none. Error(kCannotWrite) also if another run is adding to it.
  GrowingFile(const std::string& path, std::size_t keep);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// In the file when it returns, though perhaps not on disk. Error(kCannotWrite).
  void add(std::string_view text);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace heddle::io
