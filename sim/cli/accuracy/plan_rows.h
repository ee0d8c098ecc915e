#pragma once
// The kinds of rows a plan may hold, by the key that holds them.

#include <optional>
#include <string_view>
#include <vector>

#include "sim/cli/accuracy/plan.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

using Row = decltype(PlanEntry::row);

struct RowKind {
  std::string_view key;
  Row (*read)(const io::Value& value, Diagnostics& out);
};

/// "memory", "state_estimate", "busbw", "throughput", "spread".
const std::vector<RowKind>& row_kinds();

}  // namespace heddle::cli::accuracy
