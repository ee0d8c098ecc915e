#include "validator/judge/host_facts.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace heddle::judge {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

HostFacts host_facts() {
  HostFacts facts;
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  facts.host = name.data();
  facts.cpu = cpu_model();
  facts.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  double load = 0;
  if (getloadavg(&load, 1) == 1) facts.load = load;
  facts.date = utc_now();
  return facts;
}

Bytes available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    std::int64_t kib = 0;
    if (word == "MemAvailable:" && file >> kib) return {kib * 1024};
  }
  return {};
}

}  // namespace heddle::judge
