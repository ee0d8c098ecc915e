#pragma once
// Where a report goes, claimed before anything is measured: a lock that a second run meets, a
// journal that holds every sample as it comes, the report itself only when it is whole.

#include <string>

namespace heddle::validator_cli {

class ReportFile {
 public:
  /// Empty path: nothing is written anywhere. UsageError if another run holds it,
  /// Error(kCannotWrite) if its folder cannot be written.
  explicit ReportFile(std::string path);
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  ~ReportFile();

  /// A line that is on disk when this returns. Error(kCannotWrite).
  void note(const std::string& line);
  /// Replaces the report at once; the journal is then no longer needed. Error(kCannotWrite) leaves
  /// both as they were.
  void write(const std::string& text);

 private:
  std::string path_;
  int lock_ = -1;
  int journal_ = -1;
};

}  // namespace heddle::validator_cli
