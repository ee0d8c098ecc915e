#include "sim/cli/accuracy/plan.h"

#include "sim/base/nearest_name.h"
#include "sim/cli/accuracy/plan_fields.h"
#include "sim/cli/accuracy/plan_rows.h"
#include "sim/cli/accuracy/range_reader.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kSchema = "heddle.accuracy-plan/1";

/// Exactly one of the row kinds must be there.
Row read_row(const io::Value& value, io::ObjectReader& reader, Diagnostics& out) {
  Row row;
  int found = 0;
  std::vector<std::string> keys;
  for (const RowKind& kind : row_kinds()) {
    keys.emplace_back(kind.key);
    const auto member = reader.optional(kind.key);
    if (!member) continue;
    ++found;
    row = kind.read(*member, out);
  }
  if (found != 1) {
    value.error("not-one-row", "must have exactly one kind of prediction", suggest_name("", keys),
                out);
  }
  return row;
}

PlanEntry read_entry(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  PlanEntry entry{text_field(reader, "id", out), read_row(value, reader, out), std::nullopt,
                  optional_text_list(reader, "assumptions", out)};
  if (const auto expect = reader.optional("expect")) entry.expect = read_range(*expect, out);
  reader.finish();
  return entry;
}

}  // namespace

std::optional<std::vector<PlanEntry>> read_plan(std::string_view text, const std::string& file,
                                                Diagnostics& out) {
  return read_plan_records<PlanEntry>(text, file, kSchema, read_entry, out);
}

}  // namespace heddle::cli::accuracy
