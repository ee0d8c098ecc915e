#include "sim/sweep/in_order.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <utility>

namespace heddle::sweep {
namespace {

struct Item {
  std::size_t number = 0;
  std::vector<Row> rows;
};

/// Enough that no thread waits for the item whose turn it is to be accepted.
constexpr std::size_t kItemsPerThread = 4;

}  // namespace

void run_in_order(const OrderedWork& work, const std::atomic<bool>& stop) {
  namespace tbb = oneapi::tbb;
  const auto jobs = static_cast<std::size_t>(work.jobs);
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, jobs);
  // A cancelled pipeline drops its tokens without destroying them, so they are owned here. Those on
  // their way are consecutive numbers, because they leave in order: no two share a place.
  std::vector<Item> items(jobs * kItemsPerThread);
  std::size_t next = work.begin;
  const auto take = [&](tbb::flow_control& flow) -> Item* {
    if (next >= work.end || stop) {
      flow.stop();
      return nullptr;
    }
    Item& item = items[next % items.size()];
    item.number = next++;
    return &item;
  };
  const auto perform = [&](Item* item) {
    item->rows = work.work(item->number);
    return item;
  };
  const auto accept = [&](Item* item) { work.accept(item->number, std::move(item->rows)); };
  using tbb::filter_mode;
  const auto pipeline = tbb::make_filter<void, Item*>(filter_mode::serial_in_order, take) &
                        tbb::make_filter<Item*, Item*>(filter_mode::parallel, perform) &
                        tbb::make_filter<Item*, void>(filter_mode::serial_in_order, accept);
  tbb::task_arena arena(work.jobs);  // else more threads than cores would not be made
  arena.execute([&] { tbb::parallel_pipeline(items.size(), pipeline); });
}

}  // namespace heddle::sweep
