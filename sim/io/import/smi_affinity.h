#pragma once
// What follows the matrix in a row of `nvidia-smi topo -m`: CPU Affinity, NUMA Affinity, GPU NUMA
// ID. Any of them may be blank, and two may have run together.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/import/smi_header.h"

namespace heddle::io {

struct SmiAffinity {
  std::string cpu;                         // empty: blank or N/A
  std::optional<std::string> numa;         // none: blank or N/A
  std::optional<std::string> gpu_numa_id;  // none: blank or N/A
  std::string glued;                       // the word that had to be cut, empty if none
  std::string surplus;                     // words beyond the columns
};

/// `line` from `at` on. `shift`: how far the row stands to the right of its header on the screen.
/// Values are given to columns in order; if some are blank, the place decides: the tabs where there
/// are any, the column on the screen otherwise. "144-1911N/A" is cut where the last range gets a
/// length from `range_lengths` or of the ranges before it.
SmiAffinity read_smi_affinity(std::string_view line, std::size_t at,
                              const std::vector<SmiColumn>& columns, int shift,
                              const std::set<int>& range_lengths);

/// The lengths of the ranges of a list of CPUs: 48 for "0-47,96-143"; empty if it is no list.
std::vector<int> cpu_range_lengths(std::string_view list);

}  // namespace heddle::io
