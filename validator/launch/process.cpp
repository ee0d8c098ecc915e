#include "validator/launch/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "sim/base/error.h"

extern char** environ;

namespace heddle::launch {
namespace {

/// The child's side of fork(): only calls that are safe there.
[[noreturn]] void become(char* const* words, char* const* environment, int output, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before we could ask for the signal
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  execvpe(words[0], words, environment);
  _exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

std::string to_text(const ProcessEnd& end) {
  if (end.signal != 0) return fmt::format("killed by signal {}", end.signal);
  return fmt::format("exit status {}", end.status);
}

Process Process::start(const Command& command) {
  std::vector<std::string> words = command.words;
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  for (const auto& variable : command.environment) {
    const std::string begin = variable.first + "=";
    std::erase_if(variables, [&](const std::string& v) { return v.starts_with(begin); });
    variables.push_back(begin + variable.second);
  }
  const std::vector<char*> arguments = pointers(words);
  const std::vector<char*> environment = pointers(variables);
  const int output =
      command.output_file.empty()
          ? -1
          : open(command.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const pid_t parent = getpid();
  Process process;
  process.pid_ = fork();
  if (process.pid_ == 0) become(arguments.data(), environment.data(), output, parent);
  const std::string reason = std::strerror(errno);
  if (output >= 0) close(output);
  if (process.pid_ < 0) {
    process.pid_ = 0;
    throw Error(ErrorKind::kRunFailed, "cannot start " + words.front() + ": " + reason);
  }
  return process;
}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(end_, other.end_);
  return *this;
}

Process::~Process() {
  if (pid_ == 0 || ended()) return;
  kill(SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
}

std::optional<ProcessEnd> Process::ended() {
  if (end_ || pid_ == 0) return end_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  end_ = WIFSIGNALED(status) ? ProcessEnd{0, WTERMSIG(status)} : ProcessEnd{WEXITSTATUS(status), 0};
  return end_;
}

void Process::kill(int signal) const {
  if (pid_ > 0 && !end_) ::kill(pid_, signal);
}

}  // namespace heddle::launch
