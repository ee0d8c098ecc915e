// heddle-worker-mpi SOCKET: a rank that exchanges data through MPI; mpirun starts one per rank.

#include <mpi.h>

#include <array>
#include <memory>
#include <string>

#include "validator/mpi/mpi_transport.h"
#include "validator/worker/host_rank.h"
#include "validator/worker/worker.h"

namespace {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string all(text.data(), static_cast<std::size_t>(length));
  return all.substr(0, all.find(','));  // the rest names the packager and a date
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  heddle::worker::WorkerBackend backend;
  MPI_Comm_rank(MPI_COMM_WORLD, &backend.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &backend.ranks);
  backend.versions = {
      {"transport", library_version()},
      {"threads", level == MPI_THREAD_MULTIPLE ? "multiple" : "fewer than multiple"}};
  backend.device = [&](const heddle::worker::RankOrder& order, std::string& problem) {
    return heddle::worker::make_host_rank(
        order, backend.rank, std::make_unique<heddle::mpi::MpiTransport>(order.schedule), problem);
  };
  const auto how = heddle::worker::serve(argv[1], backend);
  MPI_Finalize();
  return static_cast<int>(how);
}
