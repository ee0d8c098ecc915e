// heddle-worker-reference SOCKET RANK RANKS: a rank that exchanges data through shared memory.

#include <memory>
#include <string>

#include "sim/base/number_text.h"
#include "validator/device/exchange.h"
#include "validator/device/region.h"
#include "validator/worker/host_rank.h"
#include "validator/worker/worker.h"

namespace {

/// The exchange with the memory it lies in.
class RegionTransport : public heddle::device::Transport {
 public:
  RegionTransport(const std::string& path, const heddle::schedule::Schedule& schedule, int rank)
      : region_(path), exchange_(region_.bytes(), schedule, rank, heddle::device::steady_clock()) {}

  std::optional<heddle::device::Failure> run(const heddle::device::TransportCall& call) override {
    return exchange_.run(call);
  }
  std::optional<heddle::device::Failure> barrier() override { return exchange_.barrier(); }
  void abort() override { exchange_.abort(); }

 private:
  heddle::device::SharedRegion region_;
  heddle::device::Exchange exchange_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  heddle::worker::WorkerBackend backend;
  backend.rank = heddle::whole_int(argv[2], 0).value_or(0);
  backend.ranks = heddle::whole_int(argv[3], 1).value_or(1);
  backend.versions = {{"transport", "shared memory"}};
  backend.device = [&](const heddle::worker::RankOrder& order, std::string& problem) {
    return heddle::worker::make_host_rank(
        order, backend.rank,
        std::make_unique<RegionTransport>(order.request.region_file, order.schedule, backend.rank),
        problem);
  };
  return static_cast<int>(heddle::worker::serve(argv[1], backend));
}
