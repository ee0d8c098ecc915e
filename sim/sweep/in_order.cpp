#include "sim/sweep/in_order.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <utility>

namespace heddle::sweep {
namespace {

struct Item {
  std::size_t number = 0;
  std::vector<Row> rows;
};
using ItemPtr = std::shared_ptr<Item>;

/// Enough that no thread waits for the item whose turn it is to be accepted.
constexpr std::size_t kItemsPerThread = 4;

}  // namespace

void run_in_order(const OrderedWork& work, const std::atomic<bool>& stop) {
  namespace tbb = oneapi::tbb;
  const auto jobs = static_cast<std::size_t>(work.jobs);
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, jobs);
  std::size_t next = work.begin;
  const auto take = [&](tbb::flow_control& flow) -> ItemPtr {
    if (next >= work.end || stop) {
      flow.stop();
      return nullptr;
    }
    return std::make_shared<Item>(Item{next++, {}});
  };
  const auto perform = [&](ItemPtr item) -> ItemPtr {
    item->rows = work.work(item->number);
    return item;
  };
  const auto accept = [&](const ItemPtr& item) {
    work.accept(item->number, std::move(item->rows));
  };
  using tbb::filter_mode;
  const auto pipeline = tbb::make_filter<void, ItemPtr>(filter_mode::serial_in_order, take) &
                        tbb::make_filter<ItemPtr, ItemPtr>(filter_mode::parallel, perform) &
                        tbb::make_filter<ItemPtr, void>(filter_mode::serial_in_order, accept);
  tbb::task_arena arena(work.jobs);  // else more threads than cores would not be made
  arena.execute([&] { tbb::parallel_pipeline(jobs * kItemsPerThread, pipeline); });
}

}  // namespace heddle::sweep
