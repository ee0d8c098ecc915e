#pragma once
// Measured anchors as their file gives them: a memory figure, a bus bandwidth, or a relation
// between runs. Only the id and the figure are used; the rest is for people.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

/// What was measured; a single figure has low == high.
struct Measured {
  double low = 0;
  double high = 0;
};

struct Anchor {
  std::string id;
  std::optional<Measured> measured;  // none: a relation told in words
};

/// In file order. nullopt and every problem found: a section that is no list, a row without id, a
/// figure that is no number or range, two rows of one id.
std::optional<std::vector<Anchor>> read_anchors(const io::Value& file, Diagnostics& out);

}  // namespace heddle::cli::accuracy
