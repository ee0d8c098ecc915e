#include "validator/mpi/mpi_transport.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

#include "validator/device/claim.h"

namespace heddle::mpi {

using device::Failure;
using device::FailureKind;
using device::TransportCall;
using schedule::CollectiveKind;

namespace {

std::optional<Failure> failure_of(int status) {
  if (status == MPI_SUCCESS) return std::nullopt;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return Failure{FailureKind::kAsyncError, "MPI: " + std::string(text.data())};
}

int call_mpi(const TransportCall& call, MPI_Comm comm) {
  const device::CollectiveView& view = call.view;
  const void* in = call.input.data();
  void* out = call.output.data();
  const MPI_Datatype type = view.element_size() == 2 ? MPI_UINT16_T : MPI_FLOAT;
  const int all = static_cast<int>(view.elements());
  const int part = static_cast<int>(view.part());
  switch (view.collective.kind) {
    case CollectiveKind::kAllReduce:
      return MPI_Allreduce(in, out, all, type, MPI_SUM, comm);
    case CollectiveKind::kAllGather:
      return MPI_Allgather(in, part, type, out, part, type, comm);
    case CollectiveKind::kReduceScatter:
      return MPI_Reduce_scatter_block(in, out, part, type, MPI_SUM, comm);
    case CollectiveKind::kBroadcast:
      if (view.position == 0) std::memcpy(out, in, call.output.size());
      return MPI_Bcast(out, all, type, 0, comm);
    case CollectiveKind::kReduce:
      return MPI_Reduce(in, out, all, type, MPI_SUM, 0, comm);
    case CollectiveKind::kAllToAll:
      return MPI_Alltoall(in, part, type, out, part, type, comm);
    case CollectiveKind::kSendRecv: {
      const int next = (view.position + 1) % view.size;
      const int before = (view.position + view.size - 1) % view.size;
      return MPI_Sendrecv(in, all, type, next, 0, out, all, type, before, 0, comm,
                          MPI_STATUS_IGNORE);
    }
  }
  return MPI_ERR_UNKNOWN;
}

}  // namespace

namespace {

std::optional<Failure> compare(const TransportCall& call, MPI_Comm comm) {
  device::Claim mine = device::claim_of(call.view);
  std::vector<device::Claim> claims(static_cast<std::size_t>(call.view.size));
  const int status =
      MPI_Allgather(&mine, sizeof mine, MPI_BYTE, claims.data(), sizeof mine, MPI_BYTE, comm);
  if (auto failure = failure_of(status)) return failure;
  return device::compare_claims(call.view, claims);
}

}  // namespace

MpiTransport::MpiTransport(const schedule::Schedule& schedule) {
  MPI_Comm_dup(MPI_COMM_WORLD, &world_);
  MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(world_, &rank);
  for (const schedule::Communicator& c : schedule.communicators) {
    const int group =
        schedule::group_of_rank(c, schedule.rank_count())[static_cast<std::size_t>(rank)];
    communicators_.push_back(MPI_COMM_NULL);
    MPI_Comm_split(world_, group < 0 ? MPI_UNDEFINED : group, schedule::position_in_group(c, rank),
                   &communicators_.back());
  }
}

MpiTransport::~MpiTransport() {
  for (MPI_Comm& comm : communicators_) {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  MPI_Comm_free(&world_);
}

std::optional<Failure> MpiTransport::run(const TransportCall& call) {
  const std::size_t most = std::max(call.view.input_elements(), call.view.output_elements());
  if (most > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Failure{FailureKind::kAsyncError,
                   "MPI 3 counts elements in an int: " + std::to_string(most) + " are too many"};
  }
  const MPI_Comm comm = communicators_[call.view.collective.communicator.index()];
  if (call.compare) {
    if (auto mismatch = compare(call, comm)) return mismatch;
  }
  return failure_of(call_mpi(call, comm));
}

std::optional<Failure> MpiTransport::barrier() {
  return failure_of(MPI_Barrier(world_));
}

}  // namespace heddle::mpi
