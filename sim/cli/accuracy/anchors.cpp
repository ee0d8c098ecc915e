#include "sim/cli/accuracy/anchors.h"

#include <array>
#include <set>

#include "sim/cli/accuracy/range_reader.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {
namespace {

constexpr std::array<std::string_view, 3> kSections{"memory", "all_reduce_busbw", "training"};
/// A row has one of these, or none if it is told in words.
constexpr std::array<std::string_view, 3> kFigures{"gb", "gbps", "ratio"};

std::optional<Anchor> read_row(const io::Value& row, Diagnostics& out) {
  io::ObjectReader reader(row, out);
  const auto id = reader.required("id");
  const auto name = id ? id->as_string(out) : std::nullopt;
  if (!name) return std::nullopt;
  Anchor anchor{*name, std::nullopt};
  for (const std::string_view key : kFigures) {
    if (const auto figure = reader.optional(key)) anchor.measured = read_range(*figure, out);
  }
  return anchor;
}

}  // namespace

std::optional<std::vector<Anchor>> read_anchors(const io::Value& file, Diagnostics& out) {
  io::ObjectReader root(file, out);
  std::vector<Anchor> anchors;
  std::set<std::string> seen;
  for (const std::string_view section : kSections) {
    const auto rows = root.optional(section);
    if (!rows) continue;
    for (const io::Value& row : rows->items(out)) {
      auto anchor = read_row(row, out);
      if (!anchor) continue;
      if (!seen.insert(anchor->id).second) {
        row.error("duplicate-id", "id \"" + anchor->id + "\" is used twice", "", out);
      }
      anchors.push_back(std::move(*anchor));
    }
  }
  if (anchors.empty() && !out.has_errors()) {
    file.error("no-anchors", "has no measured rows",
               "known sections: memory, all_reduce_busbw, training", out);
  }
  if (out.has_errors()) return std::nullopt;
  return anchors;
}

}  // namespace heddle::cli::accuracy
