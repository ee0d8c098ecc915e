#pragma once
// Collectives through MPI: one duplicated communicator per communicator of the schedule, blocking
// calls on the stream's thread (Open MPI's non-blocking ones do not progress by themselves). 16-bit
// types are summed as 16-bit unsigned integers, 32-bit ones as floats. Nothing can end a call whose
// peer is gone: abort() does nothing, the parent kills the process.

#include <mpi.h>

#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/device/transport.h"

namespace heddle::mpi {

class MpiTransport : public device::Transport {
 public:
  /// All ranks of MPI_COMM_WORLD together, with the same schedule.
  explicit MpiTransport(const schedule::Schedule& schedule);
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;
  ~MpiTransport() override;

  std::optional<device::Failure> run(const device::TransportCall& call) override;
  std::optional<device::Failure> barrier() override;
  void abort() override {}

 private:
  MPI_Comm world_ = MPI_COMM_NULL;
  std::vector<MPI_Comm> communicators_;
};

}  // namespace heddle::mpi
