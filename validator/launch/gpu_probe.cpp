#include "validator/launch/gpu_probe.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "sim/base/number_text.h"
#include "sim/io/file.h"
#include "validator/device/clock.h"
#include "validator/launch/process.h"

namespace heddle::launch {
namespace {

constexpr std::int64_t kPatienceNs = 60'000'000'000;
constexpr std::int64_t kNapNs = 5'000'000;

/// A file that goes away with it.
class OutputFile {
 public:
  OutputFile() {
    path_ = (std::filesystem::temp_directory_path() / "heddle-probe-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file >= 0) close(file);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

GpuProbe read_probe(const std::string& text) {
  GpuProbe probe;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    const std::string word = line.substr(0, blank);
    const std::string rest = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (word == "devices") {
      probe.devices = whole_int(rest, 0).value_or(0);
    } else if (word == "nccl") {
      probe.nccl = rest;
    } else if (word == "missing") {
      probe.missing = rest;
    } else if (!probe.missing.empty()) {
      probe.missing += "\n" + line;
    }
  }
  if (probe.devices == 0 && probe.missing.empty()) probe.missing = "no GPU answered";
  return probe;
}

GpuProbe probe_gpus(const std::string& worker) {
  const OutputFile output;
  Process process = Process::start({{worker, "probe"}, {}, output.path()});
  const device::Clock& clock = device::steady_clock();
  const std::int64_t end = clock.now_ns() + kPatienceNs;
  while (!process.ended() && clock.now_ns() < end) clock.sleep_ns(kNapNs);
  if (!process.ended()) return {0, "", "CUDA does not answer within a minute"};
  return read_probe(io::read_file(output.path()));
}

}  // namespace heddle::launch
