#pragma once
// Measured training runs: a file of records as in the reference set's README. Every scalar of a
// record is kept by name ("model.hidden"), so that rules and templates can read it.

#include <optional>
#include <string>
#include <vector>

#include "sim/io/json_document.h"
#include "sim/io/json_template.h"

namespace heddle::cli::accuracy {

struct TrainingRecord {
  std::string id;
  std::string family;
  std::string group;         // of comparable records
  std::string completeness;  // "A", "B", "C"
  std::string quality;       // "measured", "measured_noisy", ...
  int nodes = 1;
  std::int64_t gpus = 1;
  std::optional<double> step_s;        // printed, or worked out from the printed throughput
  std::optional<double> tokens_per_s;  // of one GPU
  bool has_peak = false;               // peak memory is among the measured figures
  bool data_parallel = true;           // every other degree is 1
  /// By name with dots, as JSON text; besides: "gpus_per_node", "gpu_list" (0 to gpus_per_node - 1)
  /// and "accumulation", which a record without "grad_accum" has by its batch sizes.
  io::TemplateValues values;

  bool graded() const { return completeness == "A" || completeness == "B"; }
};

/// nullopt and every problem found.
std::optional<std::vector<TrainingRecord>> read_training_records(const io::Value& file,
                                                                 Diagnostics& out);

}  // namespace heddle::cli::accuracy
