#include "validator/execute/thread_job.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <thread>

#include "validator/device/exchange.h"
#include "validator/device/host_device.h"

namespace heddle::execute {
namespace {

struct Region {
  explicit Region(std::size_t size)
      : bytes(size), data(static_cast<std::byte*>(::operator new (size, std::align_val_t{64}))) {
    std::fill_n(data, size, std::byte{0});
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() { ::operator delete (data, std::align_val_t{64}); }
  std::size_t bytes;
  std::byte* data;
};

void run_rank(const schedule::Schedule& schedule, int rank, Region& region,
              const RunOptions& options, const ThreadJobHooks& hooks, std::vector<RankRun>& runs) {
  const device::Clock& clock = device::steady_clock();
  device::Exchange exchange({region.data, region.bytes}, schedule, rank, clock);
  std::unique_ptr<device::Transport> wrapped;
  if (hooks.transport) wrapped = hooks.transport(exchange, rank);
  device::Transport& transport = wrapped ? *wrapped : exchange;
  device::HostDevice device(schedule, rank, transport, {hooks.memory}, clock);
  RankRunner runner(schedule, rank, device, clock);
  for (int repeat = 0; repeat < hooks.repeats; ++repeat) {
    runs.push_back(runner.run(options));
    if (runs.back().failure) {
      exchange.abort();
      return;
    }
  }
}

}  // namespace

std::vector<std::vector<RankRun>> run_in_threads(const schedule::Schedule& schedule,
                                                 const RunOptions& options,
                                                 const ThreadJobHooks& hooks) {
  Region region(device::Exchange::region_bytes(schedule));
  const auto ranks = static_cast<std::size_t>(schedule.rank_count());
  std::vector<std::vector<RankRun>> by_rank(ranks);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      run_rank(schedule, static_cast<int>(rank), region, options, hooks, by_rank[rank]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t repeats = 0;
  for (const auto& runs : by_rank) repeats = std::max(repeats, runs.size());
  std::vector<std::vector<RankRun>> out(repeats, std::vector<RankRun>(ranks));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t r = 0; r < repeats; ++r) {
      if (r < by_rank[rank].size()) {
        out[r][rank] = std::move(by_rank[rank][r]);
      } else {
        out[r][rank].failure = device::Failure{device::FailureKind::kAborted, "never began"};
      }
    }
  }
  return out;
}

}  // namespace heddle::execute
