#include <fmt/format.h>

#include "sim/allocator/pool_use.h"
#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/replay_report.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

using allocator::PoolUse;
using allocator::ReplayMoment;
using allocator::ReplayResult;

std::string when(SimTime time) {
  return format_duration(time - SimTime{});
}

std::string heading(const ReplayAnswer& answer) {
  std::string text =
      fmt::format("{}: {} allocations, {} of them alive before it begins\n", answer.file,
                  answer.trace.allocations, answer.trace.initial_allocations);
  if (!answer.trace.source.empty()) text += fmt::format("source     {}\n", answer.trace.source);
  text += fmt::format("allocator  {}\n",
                      answer.alloc_conf.empty() ? "PyTorch's defaults" : answer.alloc_conf);
  const bool limited = answer.capacity != allocator::kUnlimited;
  return text + fmt::format("device     {}\n\n",
                            limited ? format_bytes(answer.capacity) : "without limit");
}

std::string peaks(const ReplayResult& result) {
  TextTable table({{"peak of", "", Align::kLeft},
                   {"bytes", ""},
                   {"at", ""},
                   {"event", ""},
                   {"allocated then", ""},
                   {"active then", ""},
                   {"reserved then", ""}});
  const auto row = [&](const char* name, Bytes bytes, const ReplayMoment& at) {
    table.add_row({name, format_bytes(bytes), when(at.time), fmt::format("{}", at.event),
                   format_bytes(at.allocated), format_bytes(at.active), format_bytes(at.reserved)});
  };
  row("allocated", result.peak_allocated.allocated, result.peak_allocated);
  row("active", result.peak_active.active, result.peak_active);
  row("reserved", result.peak_reserved.reserved, result.peak_reserved);
  return table.render(0);
}

std::string recorded(const ReplayResult& result) {
  if (!result.recorded) return "";
  const auto& said = *result.recorded;
  const auto emulated = static_cast<double>(result.peak_reserved.reserved.value);
  const auto measured = static_cast<double>(said.peak.value);
  const std::string error =
      measured > 0 ? fmt::format("{:+.1f} %", 100 * (emulated / measured - 1)) : "-";
  return fmt::format("\nrecorded reserved: peak {} at {}; emulated {} ({})\n",
                     format_bytes(said.peak), when(said.peak_time),
                     format_bytes(result.peak_reserved.reserved), error);
}

std::string pools(const ReplayResult& result) {
  TextTable table({{"stream", ""},
                   {"pool", "", Align::kLeft},
                   {"segments", ""},
                   {"reserved", ""},
                   {"active", ""},
                   {"split", ""},
                   {"largest free", ""},
                   {"unused", "%"}});
  for (const PoolUse& pool : allocator::pool_use(result.segments)) {
    const double unused =
        1 - static_cast<double>(pool.active.value) / static_cast<double>(pool.reserved.value);
    table.add_row({fmt::format("{}", pool.stream), pool.small ? "small" : "large",
                   fmt::format("{}", pool.segments), format_bytes(pool.reserved),
                   format_bytes(pool.active), format_bytes(pool.split),
                   format_bytes(pool.largest_free), percent_text(unused)});
  }
  return "\nsegments at the peak of reserved\n" + table.render(2);
}

std::string largest(const ReplayResult& result) {
  TextTable table({{"allocation", ""}, {"bytes", ""}, {"stream", ""}, {"since", ""}});
  for (const allocator::AliveBlock& block : result.largest) {
    table.add_row({fmt::format("{}", block.id), format_bytes(block.requested),
                   fmt::format("{}", block.stream), when(block.since)});
  }
  return fmt::format("\nlargest of {} alive at the peak of allocated\n", result.alive) +
         table.render(2);
}

std::string verdict(const ReplayResult& result) {
  std::string text = fmt::format("\nretries after releasing the cache: {}\n", result.stats.retries);
  if (!result.out_of_memory) return text;
  const auto& failure = *result.out_of_memory;
  return text + fmt::format(
                    "out of memory at {} (event {}): {} requested on stream {}, with {} reserved "
                    "and {} active;\nwhat follows is replayed without limit\n",
                    when(failure.before.time), failure.before.event,
                    format_bytes(failure.requested), failure.stream,
                    format_bytes(failure.before.reserved), format_bytes(failure.before.active));
}

}  // namespace

std::string replay_text(const ReplayAnswer& answer) {
  const ReplayResult& result = answer.result;
  if (answer.trace.allocations == 0) return heading(answer) + "no allocation, no memory\n";
  return heading(answer) + peaks(result) + recorded(result) + pools(result) + largest(result) +
         verdict(result);
}

}  // namespace heddle::cli
