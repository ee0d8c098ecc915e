#pragma once
// Single words of the tables that `nvidia-smi topo` prints.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

/// Which table: the wiring (-m, -mp) or what peers may do with each other (-p2p).
enum class SmiTable { kWiring, kP2p };

/// Length of the cell `text` begins with, 0 if none: "X", "NV18", "PIX", "PXB", "PHB", "NODE",
/// "SYS" and its old name "SOC"; in the other table "X", "OK", "CNS", "GNS", "TNS", "NS", "DR",
/// "U". A cell may run into what follows ("NODENODE", "SYS0-35"): a link count above any GPU's is
/// cut there ("NV40-35" is NV4 and 0-35).
std::size_t cell_length(std::string_view text, SmiTable table);
/// Nothing but one cell.
bool is_cell(std::string_view word, SmiTable table);

/// 3 for "GPU3".
std::optional<int> gpu_label(std::string_view word);
/// The labels that a word of a header consists of: {"NIC1", "NIC2"} for "NIC1NIC2", {"NIC8", "CPU"}
/// for "NIC8CPU"; the word itself where it is not made of labels.
std::vector<std::string> split_labels(std::string_view word);

/// What a word that is no cell probably means, as a hint.
std::string explain_cell(std::string_view word, SmiTable table);

}  // namespace heddle::io
