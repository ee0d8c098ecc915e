#pragma once
// A rank's process: connects to its parent, says who it is, runs what it is asked to and answers.
// It ends when told, and at once when the parent's end of the connection is gone.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/device/assembly.h"
#include "validator/device/device.h"
#include "validator/worker/messages.h"

namespace heddle::worker {

/// What a rank is asked to run on.
struct RankOrder {
  const schedule::Schedule& schedule;
  const Request& request;
  execute::Fault fault;  // of this rank; none if the request's is another's
  device::Assembly& assembly;
};

struct WorkerBackend {
  int rank = 0;
  int ranks = 1;
  std::vector<std::pair<std::string, std::string>> versions;  // equal on all ranks
  std::vector<std::pair<std::string, std::string>> facts;     // this rank's own
  /// Called by all ranks in the same order; nullptr and a problem if the order cannot be met.
  std::function<std::unique_ptr<device::Device>(const RankOrder& order, std::string& problem)>
      device;
};

/// How a rank's process ended, as its exit status.
enum class WorkerExit { kDone = 0, kNoParent = 3 };

/// Serves until told to quit. After a run that failed or never ended the process ends here: its
/// streams may be stuck in a call that nothing can end.
WorkerExit serve(const std::string& socket_path, const WorkerBackend& backend);

}  // namespace heddle::worker
