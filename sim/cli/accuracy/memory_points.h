#pragma once
// Measured memory figures: points of memory_points.json, or the peaks among the records of
// training.json that are data-parallel only.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

struct MemoryPoint {
  std::string id;
  std::string family;   // of training records; "" for points
  double measured = 0;  // bytes; copies of the hidden state for activation_copies
};

/// In file order. nullopt and every problem found.
std::optional<std::vector<MemoryPoint>> read_memory_points(const io::Value& file, Diagnostics& out);
/// Records that have no peak, or shard the model otherwise (tensor, pipeline, expert, context
/// parallel), are not among them.
std::optional<std::vector<MemoryPoint>> read_training_peaks(const io::Value& file,
                                                            Diagnostics& out);

}  // namespace heddle::cli::accuracy
