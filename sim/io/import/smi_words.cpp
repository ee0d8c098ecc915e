#include "sim/io/import/smi_words.h"

#include <algorithm>
#include <array>

#include "sim/base/number_text.h"

namespace heddle::io {
namespace {

constexpr std::array<std::string_view, 7> kWiring = {"X",    "PIX", "PXB", "PHB",
                                                     "NODE", "SYS", "SOC"};
constexpr std::array<std::string_view, 8> kP2p = {"X", "OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
constexpr int kMostLinks = 36;  // of one GPU, next generation included

bool digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && digit(text[end])) ++end;
  return end - at;
}

/// Length of "NV12" at the start of `text`.
std::size_t nvlink_length(std::string_view text) {
  if (!text.starts_with("NV") || text.size() < 3 || text[2] < '1' || !digit(text[2])) return 0;
  if (digits_at(text, 2) == 1) return 3;
  return whole_int(text.substr(2, 2)).value_or(0) <= kMostLinks ? 4 : 3;
}

template <typename Words>
std::size_t longest(const Words& words, std::string_view text) {
  std::size_t length = 0;
  for (const std::string_view word : words) {
    if (text.starts_with(word)) length = std::max(length, word.size());
  }
  return length;
}

/// Length of the label a glued word begins with, 0 if it begins with none.
std::size_t label_length(std::string_view text) {
  for (const std::string_view word : {std::string_view("GPU"), std::string_view("NIC")}) {
    if (!text.starts_with(word)) continue;
    const std::size_t digits = digits_at(text, word.size());
    return digits > 0 ? word.size() + digits : word.size();
  }
  for (const std::string_view word : {std::string_view("CPU"), std::string_view("NUMA")}) {
    if (text.starts_with(word)) return word.size();
  }
  if (!text.starts_with("mlx")) return 0;
  std::size_t at = 3 + digits_at(text, 3);
  for (const std::string_view part : {std::string_view("_bond_"), std::string_view("_")}) {
    if (!text.substr(at).starts_with(part)) continue;
    const std::size_t digits = digits_at(text, at + part.size());
    return digits > 0 ? at + part.size() + digits : 0;
  }
  return 0;
}

}  // namespace

std::size_t cell_length(std::string_view text, SmiTable table) {
  if (table == SmiTable::kP2p) return longest(kP2p, text);
  return std::max(nvlink_length(text), longest(kWiring, text));
}

bool is_cell(std::string_view word, SmiTable table) {
  return !word.empty() && cell_length(word, table) == word.size();
}

std::optional<int> gpu_label(std::string_view word) {
  if (!word.starts_with("GPU") || word.size() == 3 || !digit(word[3])) return std::nullopt;
  return whole_int(word.substr(3));
}

std::vector<std::string> split_labels(std::string_view word) {
  std::vector<std::string> labels;
  for (std::string_view rest = word; !rest.empty();) {
    const std::size_t length = label_length(rest);
    if (length == 0) return {std::string(word)};
    labels.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return labels;
}

std::string explain_cell(std::string_view word, SmiTable table) {
  const SmiTable other = table == SmiTable::kWiring ? SmiTable::kP2p : SmiTable::kWiring;
  if (is_cell(word, other)) {
    return other == SmiTable::kP2p
               ? "this looks like `nvidia-smi topo -p2p`; the wiring is in `nvidia-smi topo -m`"
               : "this looks like `nvidia-smi topo -m`: name that kind, or auto";
  }
  return table == SmiTable::kWiring ? "connections are X, NV<number>, PIX, PXB, PHB, NODE and SYS"
                                    : "the states of a pair are X, OK, CNS, GNS, TNS, NS, DR and U";
}

}  // namespace heddle::io
