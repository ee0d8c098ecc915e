#pragma once
// Ranks of a schedule as threads of this process, each on a host GPU of its own.

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "validator/device/assembly.h"
#include "validator/execute/rank_runner.h"
#include "validator/gpu/host_gpu.h"
#include "validator/gpu_rank/gpu_rank.h"

namespace heddle::gpu_rank {

struct ThreadedRun {
  std::vector<execute::RankRun> ranks;
  std::int64_t calls = 0;  // of the faulty rank to its GPU
};

/// What a parent does: once a rank has failed, the others are told to stop.
class Stopper {
 public:
  void add(GpuRank& rank) {
    const std::lock_guard lock(mutex_);
    ranks_.insert(&rank);
    if (stopped_) rank.abort();
  }
  void remove(GpuRank& rank, bool failed) {
    const std::lock_guard lock(mutex_);
    ranks_.erase(&rank);
    stopped_ = stopped_ || failed;
    for (GpuRank* other : ranks_) {
      if (stopped_) other->abort();
    }
  }

 private:
  std::mutex mutex_;
  std::set<GpuRank*> ranks_;
  bool stopped_ = false;
};

inline ThreadedRun run_threaded(const schedule::Schedule& schedule,
                                const execute::RunOptions& options, const execute::Fault& fault,
                                const GpuLimits& limits = {}, Bytes gpu_memory = gibibytes(1)) {
  const auto ranks = static_cast<std::size_t>(schedule.rank_count());
  device::ThreadAssembly::Table table(schedule.rank_count());
  Stopper stopper;
  ThreadedRun run;
  run.ranks.resize(ranks);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks; ++r) {
    threads.emplace_back([&, r] {
      const int rank = static_cast<int>(r);
      device::ThreadAssembly assembly(table, rank);
      gpu::HostGpu gpu({gpu_memory, testing::TempDir()});
      const execute::Fault mine = fault.rank == rank ? fault : execute::Fault{};
      GpuRank device(gpu, schedule, rank, assembly, limits, mine, device::steady_clock());
      stopper.add(device);
      execute::RankRunner runner(schedule, rank, device, device::steady_clock());
      run.ranks[r] = runner.run(options);
      stopper.remove(device, run.ranks[r].failure.has_value());
      if (fault.rank == rank) run.calls = device.calls();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return run;
}

}  // namespace heddle::gpu_rank
