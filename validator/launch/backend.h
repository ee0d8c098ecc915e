#pragma once
// The backends by name: which program is a rank, and how ranks are started.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/launch/process.h"

namespace heddle::launch {

struct LaunchPlace {
  std::string workers;  // folder of heddle-worker-*
  std::string folder;   // of this run
  std::string socket;   // where ranks connect
  std::string log;      // their output
};

struct BackendEntry {
  std::string_view name;
  std::string_view summary;
  bool needs_region = false;  // shared memory of the exchange
  /// What has to be started; together they make `ranks` ranks.
  std::vector<Command> (*commands)(const LaunchPlace& place, int ranks);
  /// Programs that must be there beside the worker, "" if none.
  std::string_view tool;
};

/// Adding a backend: a worker program and a line here.
std::span<const BackendEntry> backends();
/// nullptr if there is none of that name.
const BackendEntry* find_backend(std::string_view name);
/// What is missing to run it here, in words; "" if nothing.
std::string missing_for(const BackendEntry& backend, const std::string& workers);

}  // namespace heddle::launch
