#pragma once
// A rank's process: connects to its parent, says who it is, runs what it is asked to and answers.
// It ends when told, and at once when the parent's end of the connection is gone.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/device/transport.h"
#include "validator/worker/messages.h"

namespace heddle::worker {

struct WorkerBackend {
  int rank = 0;
  int ranks = 1;
  std::vector<std::pair<std::string, std::string>> versions;
  /// Called by all ranks in the same order; nullptr if the request cannot be met.
  std::function<std::unique_ptr<device::Transport>(const schedule::Schedule&, const Request&)>
      transport;
};

/// How a rank's process ended, as its exit status.
enum class WorkerExit { kDone = 0, kNoParent = 3 };

/// Serves until told to quit. After a run that failed or never ended the process ends here: its
/// streams may be stuck in a call that nothing can end.
WorkerExit serve(const std::string& socket_path, const WorkerBackend& backend);

}  // namespace heddle::worker
