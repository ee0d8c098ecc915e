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

  /// A line of the journal. A disk that is full does not end a measurement: write() tells of it.
  void note(const std::string& line);
  /// Replaces the report at once; the journal is then no longer needed. Error(kCannotWrite) leaves
  /// both as they were.
  void write(const std::string& text);

 private:
  std::string path_;
  int lock_ = -1;
  int journal_ = -1;
  std::string problem_;  // of the first line that could not be written
};

}  // namespace heddle::validator_cli
