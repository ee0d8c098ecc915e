#include "sim/cli/accuracy/memory_plan.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"
#include "sim/base/nearest_name.h"
#include "sim/cli/accuracy/plan_fields.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kSchema = "heddle.memory-plan/1";

struct ReadingWord {
  MemoryReading reading;
  std::string_view word;
};

constexpr std::array<ReadingWord, 11> kReadings{
    {{MemoryReading::kResident, "resident"},
     {MemoryReading::kPeakAllocated, "peak_allocated"},
     {MemoryReading::kPeakActive, "peak_active"},
     {MemoryReading::kPeakReserved, "peak_reserved"},
     {MemoryReading::kDriver, "driver"},
     {MemoryReading::kContext, "context"},
     {MemoryReading::kNccl, "nccl"},
     {MemoryReading::kActivationCopies, "activation_copies"},
     {MemoryReading::kCategory, "category"},
     {MemoryReading::kCategoryWithContext, "category_with_context"},
     {MemoryReading::kBuffers, "buffers"}}};

MemoryReading read_reading(io::ObjectReader& reader, Diagnostics& out) {
  const std::string name = text_field(reader, "read", out);
  std::vector<std::string> known;
  for (const ReadingWord& entry : kReadings) {
    if (entry.word == name) return entry.reading;
    known.emplace_back(entry.word);
  }
  reader.object().error("unknown-quantity", "unknown quantity \"" + name + "\"",
                        suggest_name(name, known), out);
  return MemoryReading::kPeakAllocated;
}

bool takes_name(MemoryReading reading) {
  return reading == MemoryReading::kCategory || reading == MemoryReading::kCategoryWithContext ||
         reading == MemoryReading::kBuffers;
}

MemoryPlanRow read_row(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  MemoryPlanRow row;
  row.id = text_field(reader, "id", out);
  row.unsupported = optional_text(reader, "unsupported", out);
  if (row.unsupported.empty()) {
    row.study.file = text_field(reader, "scenario", out);
    row.study.overrides = overrides_field(reader, out);
    row.case_id = text_field(reader, "case", out);
    row.read = read_reading(reader, out);
    if (takes_name(row.read)) row.of = text_field(reader, "of", out);
    if (const auto partial = reader.optional("partial")) {
      row.partial = partial->as_bool(out).value_or(false);
    }
    row.assumptions = optional_text_list(reader, "assumptions", out);
  }
  reader.finish();
  return row;
}

}  // namespace

std::string_view to_string(MemoryReading reading) {
  const auto found = std::find_if(kReadings.begin(), kReadings.end(),
                                  [&](const ReadingWord& e) { return e.reading == reading; });
  HEDDLE_CHECK(found != kReadings.end(), "every reading has a word");
  return found->word;
}

std::optional<std::vector<MemoryPlanRow>> read_memory_plan(std::string_view text,
                                                           const std::string& file,
                                                           Diagnostics& out) {
  return read_plan_records<MemoryPlanRow>(text, file, kSchema, read_row, out);
}

}  // namespace heddle::cli::accuracy
