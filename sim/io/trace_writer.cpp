#include "sim/io/trace_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"
#include "sim/io/trace_text.h"

namespace heddle::io {
namespace {

constexpr int kLinkProcess = 1'000'000;  // beyond any rank

std::string memory_values(const engine::MemorySample& sample) {
  std::string values;
  for (int c = 0; c < schedule::kCategoryCount; ++c) {
    values += fmt::format(
        "{}\"{}\":{}", c == 0 ? "" : ",", to_string(static_cast<schedule::MemoryCategory>(c)),
        static_cast<double>(sample.by_category[static_cast<std::size_t>(c)].value) / 1e9);
  }
  return values;
}

/// Allocated, active, reserved and the driver's view, as `heddle memory` names them.
void write_allocator(TraceText& trace, const run::MemoryReport& memory,
                     const engine::RankResult& rank, int process) {
  if (!rank.allocator) return;
  const auto gb = [](Bytes bytes) { return static_cast<double>(bytes.value) / 1e9; };
  for (const engine::AllocatorSample& sample : rank.allocator->samples) {
    trace.counter(process, "allocator (GB)", sample.time,
                  fmt::format(R"("allocated":{},"active":{},"reserved":{},"driver":{})",
                              gb(sample.allocated), gb(sample.active), gb(sample.reserved),
                              gb(sample.reserved + memory.context + memory.nccl)));
  }
}

void write_links(TraceText& trace, const run::CaseResult& result, const fabric::Fabric& fabric) {
  if (result.run.links.empty()) return;
  trace.name("process_name", kLinkProcess, 0, "links (payload GB/s per direction)");
  for (const engine::LinkSample& sample : result.run.links) {
    trace.counter(kLinkProcess, fabric.link_name(sample.link), sample.time,
                  fmt::format("\"GB/s\":{}", sample.load.gb_per_second()));
  }
}

}  // namespace

std::string write_trace(const fabric::Fabric& fabric, const run::CaseResult& result) {
  TraceText trace;
  int first_rank = 0;
  for (const engine::RankResult& rank : result.run.ranks) {
    const std::string ranks = rank.multiplicity == 1
                                  ? fmt::format("rank {}", first_rank)
                                  : fmt::format("{} equal ranks", rank.multiplicity);
    trace.name("process_name", first_rank, 0, fmt::format("{}: {}", result.case_id, ranks));
    write_trace_streams(trace, *result.schedule, rank, first_rank);
    for (const engine::MemorySample& sample : rank.memory) {
      trace.counter(first_rank, "memory (GB)", sample.time, memory_values(sample));
    }
    write_allocator(trace, result.memory, rank, first_rank);
    first_rank += rank.multiplicity;
  }
  write_links(trace, result, fabric);
  return trace.take();
}

std::string write_trace(const run::Study& study, const run::CaseResult& result) {
  const auto id = std::find_if(study.cases().begin(), study.cases().end(),
                               [&](const run::CaseId& c) { return c.id == result.case_id; });
  HEDDLE_CHECK(id != study.cases().end(), "a result of another study");
  return write_trace(study.fabric(*id), result);
}

}  // namespace heddle::io
