#pragma once
// A rank on processor cores with the transport it owns, and a fault in it where a test wants one.

#include <memory>

#include "validator/device/host_device.h"
#include "validator/worker/worker.h"

namespace heddle::worker {

/// nullptr and `problem` without a transport.
std::unique_ptr<device::Device> make_host_rank(const RankOrder& order, int rank,
                                               std::unique_ptr<device::Transport> transport,
                                               std::string& problem);

}  // namespace heddle::worker
