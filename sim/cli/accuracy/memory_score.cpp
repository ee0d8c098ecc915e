#include "sim/cli/accuracy/memory_score.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/cli/verb_errors.h"
#include "sim/run/memory_report.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kPartialGroup = "partial configuration";

double bytes(Bytes b) {
  return static_cast<double>(b.value);
}

Bytes category(const run::MemoryReport& memory, const std::string& name) {
  for (int c = 0; c < schedule::kCategoryCount; ++c) {
    if (to_string(static_cast<schedule::MemoryCategory>(c)) == name) {
      return memory.at_resident[static_cast<std::size_t>(c)];
    }
  }
  throw UsageError("unknown category \"" + name + "\"");
}

Bytes buffers(const run::MemoryReport& memory, const std::string& name) {
  Bytes sum;
  for (const run::AliveBuffers& group : memory.resident_alive) {
    if (group.name == name) sum += group.bytes;
  }
  return sum;
}

double value_of(const MemoryPlanRow& row, const Outcome& outcome) {
  const run::MemoryReport& memory = outcome.memory;
  switch (row.read) {
    case MemoryReading::kResident:
      return bytes(memory.resident);
    case MemoryReading::kPeakAllocated:
      return bytes(memory.peak_allocated);
    case MemoryReading::kPeakActive:
      return bytes(memory.peak_active);
    case MemoryReading::kPeakReserved:
      return bytes(memory.peak_reserved);
    case MemoryReading::kDriver:
      return bytes(memory.driver());
    case MemoryReading::kContext:
      return bytes(memory.context);
    case MemoryReading::kNccl:
      return bytes(memory.nccl);
    case MemoryReading::kActivationCopies:
      return outcome.layer_copies;
    case MemoryReading::kCategory:
      return bytes(category(memory, row.of));
    case MemoryReading::kCategoryWithContext:
      return bytes(category(memory, row.of) + memory.context);
    case MemoryReading::kBuffers:
      return bytes(buffers(memory, row.of));
  }
  HEDDLE_CHECK(false, "every reading is read");
}

bool is_reserved(MemoryReading read) {
  return read == MemoryReading::kPeakReserved || read == MemoryReading::kDriver;
}

bool is_overhead(MemoryReading read) {
  return read == MemoryReading::kContext || read == MemoryReading::kNccl;
}

std::string group_of(MemoryReading read, bool expandable) {
  if (is_overhead(read)) return "overheads";
  if (!is_reserved(read)) return "allocated";
  return expandable ? "reserved, expandable" : "reserved, default";
}

double error_of(MemoryReading read, bool expandable) {
  constexpr run::MemoryErrors kErrors = run::kMemoryErrors;
  if (is_overhead(read)) return kErrors.overheads;
  if (!is_reserved(read)) return kErrors.active;
  return expandable ? kErrors.reserved_expandable : kErrors.reserved_default;
}

MemoryRecord make_record(const MemoryPoint& point, const MemoryPlanRow& row, Outcomes& outcomes) {
  const Outcome& outcome = outcomes.of(row.study, row.case_id);
  MemoryRecord record;
  record.id = point.id;
  record.family = point.family.empty() ? row.study.file : point.family;
  record.read = row.read;
  record.partial = row.partial;
  record.group = row.partial ? kPartialGroup : group_of(row.read, outcome.expandable_segments);
  record.predicted = value_of(row, outcome);
  record.measured = point.measured;
  record.error_pct = 100 * (record.predicted / record.measured - 1);
  const double error = error_of(row.read, outcome.expandable_segments);
  record.low = record.predicted * (1 - error);
  record.high = record.predicted * (1 + error);
  record.peak_at = run::moment_text(outcome.memory.peak_at);
  record.assumptions = row.assumptions;
  const auto declared = outcomes.assumptions(row.study);
  record.assumptions.insert(record.assumptions.end(), declared.begin(), declared.end());
  return record;
}

const MemoryPlanRow* row_of(const std::vector<MemoryPlanRow>& plan, const std::string& id) {
  const auto row = std::find_if(plan.begin(), plan.end(),
                                [&](const MemoryPlanRow& candidate) { return candidate.id == id; });
  return row == plan.end() ? nullptr : &*row;
}

MemoryGroup group(const std::string& by, const std::string& name, bool is_primary,
                  const std::vector<const MemoryRecord*>& records) {
  Errors errors;
  for (const MemoryRecord* record : records) errors.add(record->error_pct);
  const double worst = *std::max_element(errors.absolute.begin(), errors.absolute.end());
  return {{by, statistics(name, errors), is_primary}, worst};
}

/// One group per value of `key`, in order of first appearance.
template <typename Key>
void add_groups(const std::vector<MemoryRecord>& records, const std::string& by, bool is_primary,
                Key key, std::vector<MemoryGroup>& out) {
  std::vector<std::pair<std::string, std::vector<const MemoryRecord*>>> parts;
  for (const MemoryRecord& record : records) {
    auto found = std::find_if(parts.begin(), parts.end(),
                              [&](const auto& part) { return part.first == key(record); });
    if (record.partial && by != "quantity") continue;
    if (found == parts.end()) found = parts.insert(parts.end(), {key(record), {}});
    found->second.push_back(&record);
  }
  for (const auto& [name, members] : parts) {
    out.push_back(group(by, name, is_primary && name != kPartialGroup, members));
  }
}

}  // namespace

MemoryScores score_memory(const std::vector<MemoryPoint>& points,
                          const std::vector<MemoryPlanRow>& plan, Outcomes& outcomes) {
  MemoryScores scores;
  for (const MemoryPoint& point : points) {
    const MemoryPlanRow* row = row_of(plan, point.id);
    const std::string reason =
        row == nullptr ? "the accuracy plan has no entry for it" : row->unsupported;
    if (!reason.empty()) {
      scores.unsupported.push_back({point.id, reason});
      continue;
    }
    try {
      scores.records.push_back(make_record(point, *row, outcomes));
    } catch (const BadInput& problem) {
      scores.unsupported.push_back({point.id, first_error(problem.diagnostics())});
    } catch (const UsageError& problem) {
      scores.unsupported.push_back({point.id, problem.what()});
    }
  }
  return scores;
}

std::vector<MemoryGroup> memory_groups(const MemoryScores& scores) {
  std::vector<MemoryGroup> groups;
  add_groups(
      scores.records, "quantity", true, [](const MemoryRecord& r) { return r.group; }, groups);
  add_groups(
      scores.records, "family", false, [](const MemoryRecord& r) { return r.family; }, groups);
  return groups;
}

}  // namespace heddle::cli::accuracy
