#pragma once
// How each measured memory figure is predicted. Data, read strictly from
// scenarios/accuracy/memory_points.json and training_memory.json (schema heddle.memory-plan/1).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/cli/study_loader.h"

namespace heddle::cli::accuracy {

/// What of a case is compared. The last four take `of`: a category, or a buffer's name.
enum class MemoryReading {
  kResident,
  kPeakAllocated,
  kPeakActive,
  kPeakReserved,
  kDriver,
  kContext,
  kNccl,
  kActivationCopies,     // saved by one layer / (2 hidden tokens)
  kCategory,             // bytes of category `of` after the optimizer step
  kCategoryWithContext,  // the same and the CUDA context
  kBuffers,              // bytes of buffers named `of` after the optimizer step
};
std::string_view to_string(MemoryReading reading);  // as in the plan: "peak_active", ...

struct MemoryPlanRow {
  std::string id;
  std::string unsupported;  // why it is not predicted: a missing fact or an unmodelled feature
  StudyRequest study;       // file: within the scenarios folder
  std::string case_id;
  MemoryReading read = MemoryReading::kPeakAllocated;
  std::string of;
  bool partial = false;  // the record lacks facts that we assume: shown, not scored
  std::vector<std::string> assumptions;
};

/// nullopt and every problem found.
std::optional<std::vector<MemoryPlanRow>> read_memory_plan(std::string_view text,
                                                           const std::string& file,
                                                           Diagnostics& out);

}  // namespace heddle::cli::accuracy
