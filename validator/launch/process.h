#pragma once
// A child process that cannot outlive its parent and is ended by its id.

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::launch {

struct Command {
  std::vector<std::string> words;                                // the program first
  std::vector<std::pair<std::string, std::string>> environment;  // beside the parent's own
  std::string output_file;  // where its standard output and error go
};

/// How it ended: an exit status, or a signal.
struct ProcessEnd {
  int status = 0;
  int signal = 0;
};
std::string to_text(const ProcessEnd& end);  // "killed by signal 9", "exit status 1"

class Process {
 public:
  Process() = default;
  /// In a process group of its own, so that a Ctrl-C at the terminal is the parent's to handle; it
  /// gets SIGKILL if this thread dies. Error(kRunFailed) if it cannot be started.
  static Process start(const Command& command);
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, 0)), end_(other.end_) {}
  Process& operator=(Process&& other) noexcept;
  /// Killed and waited for.
  ~Process();

  pid_t pid() const { return pid_; }
  /// nullopt while it runs; does not wait.
  std::optional<ProcessEnd> ended();
  void kill(int signal) const;

 private:
  pid_t pid_ = 0;
  std::optional<ProcessEnd> end_;
};

}  // namespace heddle::launch
