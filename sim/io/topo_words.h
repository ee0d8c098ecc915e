#pragma once
// Single words of an `nvidia-smi topo -m` matrix.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/topo_matrix.h"

namespace heddle::io {

/// 3 for "GPU3".
std::optional<int> gpu_label(std::string_view word);

/// Place of the first GPU label among the first words of a line: logs put a rank, a time or a
/// comment sign before it.
std::optional<std::size_t> first_gpu_label(const std::vector<std::string>& words);

/// "X", "NV18", "PIX", "PXB", "PHB", "NODE", "SYS" and its old name "SOC".
std::optional<TopoRelation> parse_relation(std::string_view word);
std::string to_string(const TopoRelation& relation);

/// What a word that is no connection probably means, as a hint.
std::string explain_cell(std::string_view word);

/// The number a word begins with: 0 in "0,3-9".
std::optional<int> leading_number(std::string_view word);

}  // namespace heddle::io
