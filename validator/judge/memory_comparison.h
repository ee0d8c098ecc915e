#pragma once
// Memory as predicted against memory as the allocator counted it, Alloc by Alloc and Free by Free.
//
// What is compared is each Alloc's and Free's change, category by category, so that one wrong size
// is one difference and not one at every boundary after it; the running totals are compared, too.
// The two sides may have run different schedules (an edited file): ops are told by what they do to
// which buffer.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/run_result.h"

namespace heddle::judge {

struct MemoryDifference {
  int rank = 0;
  std::string op;  // "free of \"grad\" (backward, layer 3)"
  schedule::MemoryCategory category = schedule::MemoryCategory::kTemporary;
  Bytes predicted;  // the change
  Bytes measured;
  std::string what;  // "1024 B predicted, 2048 B measured", "predicted, never happened"
};

struct MemoryComparison {
  std::size_t boundaries = 0;     // Allocs and Frees compared, over all ranks
  std::size_t totals_differ = 0;  // boundaries at which any category's total is not as predicted
  std::vector<MemoryDifference> differences;
  std::array<Bytes, schedule::kCategoryCount> predicted_at_peak{};
  std::array<Bytes, schedule::kCategoryCount> measured_at_peak{};
  Bytes predicted_peak;
  Bytes measured_peak;  // of the fullest rank

  bool equal() const { return differences.empty() && totals_differ == 0; }
};

struct MemorySide {
  const schedule::Schedule& schedule;
  const engine::RunResult& run;  // with memory samples; folded or not
};

MemoryComparison compare_memory(const MemorySide& predicted, const MemorySide& measured);

}  // namespace heddle::judge
