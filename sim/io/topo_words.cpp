#include "sim/io/topo_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace heddle::io {
namespace {

constexpr std::array<std::pair<std::string_view, TopoKind>, 7> kWords = {{
    {"X", TopoKind::kSelf},
    {"PIX", TopoKind::kPix},
    {"PXB", TopoKind::kPxb},
    {"PHB", TopoKind::kPhb},
    {"NODE", TopoKind::kNode},
    {"SYS", TopoKind::kSys},
    {"SOC", TopoKind::kSys},
}};

/// The number that follows `prefix` and ends the word.
std::optional<int> numbered(std::string_view word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  int number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = rest == word.data() + word.size();
  if (error != std::errc() || !whole || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<int> gpu_label(std::string_view word) {
  return numbered(word, "GPU");
}

std::optional<std::size_t> first_gpu_label(const std::vector<std::string>& words) {
  constexpr std::size_t kLongestPrefix = 8;
  for (std::size_t i = 0; i < std::min(words.size(), kLongestPrefix); ++i) {
    if (parse_relation(words[i])) return std::nullopt;
    if (gpu_label(words[i])) return i;
  }
  return std::nullopt;
}

std::optional<TopoRelation> parse_relation(std::string_view word) {
  for (const auto& [name, kind] : kWords) {
    if (word == name) return TopoRelation{kind, 0};
  }
  const std::optional<int> links = numbered(word, "NV");
  if (!links || *links == 0) return std::nullopt;
  return TopoRelation{TopoKind::kNvlink, *links};
}

std::string to_string(const TopoRelation& relation) {
  if (relation.kind == TopoKind::kNvlink) return "NV" + std::to_string(relation.links);
  const auto* found = std::find_if(kWords.begin(), kWords.end(), [&relation](const auto& entry) {
    return entry.second == relation.kind;
  });
  return std::string(found->first);
}

std::string explain_cell(std::string_view word) {
  if (word == "OK" || word == "CNS" || word == "NS" || word == "GNS" || word == "TNS") {
    return "this looks like `nvidia-smi topo -p2p`; the wiring is in `nvidia-smi topo -m`";
  }
  return "connections are X, NV<number>, PIX, PXB, PHB, NODE or SYS; two may have run together";
}

std::optional<int> leading_number(std::string_view word) {
  int number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  return number;
}

}  // namespace heddle::io
