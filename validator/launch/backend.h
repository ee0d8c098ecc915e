#pragma once
// The backends by name: which program is a rank, and how ranks are started.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/launch/process.h"

namespace heddle::launch {

struct LaunchPlace {
  std::string workers;   // folder of heddle-worker-*
  std::string folder;    // of this run
  std::string socket;    // where ranks connect
  std::string log;       // their output
  std::string topology;  // where NCCL may write what it sees
};

/// What a backend's ranks run on.
struct BackendTraits {
  bool on_gpu = false;        // ranks have a caching allocator, and events that take time
  bool shares_gpu = false;    // all ranks are on one: what the GPU holds is everybody's
  bool cpu_memory = true;     // it is this machine's memory that ranks allocate
  bool needs_region = false;  // shared memory of the exchange
};

struct BackendEntry {
  std::string_view name;
  std::string_view summary;
  BackendTraits traits;
  std::string_view worker;  // heddle-worker-*
  /// What has to be started; together they make `ranks` ranks.
  std::vector<Command> (*commands)(const LaunchPlace& place, int ranks);
  /// What a rank takes beside what its schedule allocates.
  Bytes (*harness)(const schedule::Schedule& schedule, int rank);
  /// Why `ranks` of them cannot run here, "" if they can; nullptr: they always can.
  std::string (*missing)(const std::string& worker, int ranks);
};

/// Adding a backend: a worker program and a line here.
std::span<const BackendEntry> backends();
/// nullptr if there is none of that name.
const BackendEntry* find_backend(std::string_view name);
/// What is missing to run that many ranks of it here, in words; "" if nothing.
std::string missing_for(const BackendEntry& backend, const std::string& workers, int ranks);

}  // namespace heddle::launch
