#include "sim/cli/accuracy/plan_rows.h"

#include <algorithm>

#include "sim/base/nearest_name.h"
#include "sim/cli/accuracy/plan_fields.h"

namespace heddle::cli::accuracy {
namespace {

constexpr std::int64_t kMostBytesPerParameter = 64;
constexpr std::int64_t kMostGpus = 1 << 20;

StudyRequest study_fields(io::ObjectReader& reader, Diagnostics& out) {
  return {text_field(reader, "scenario", out), overrides_field(reader, out)};
}

MemoryQuantity memory_quantity(io::ObjectReader& reader, Diagnostics& out) {
  const std::string name = text_field(reader, "read", out);
  if (name == "resident") return MemoryQuantity::kResident;
  if (name != "peak_allocated" && !name.empty()) {
    const std::vector<std::string> known{"peak_allocated", "resident"};
    reader.object().error("unknown-quantity", "unknown quantity \"" + name + "\"",
                          suggest_name(name, known), out);
  }
  return MemoryQuantity::kPeakAllocated;
}

bool flag(io::ObjectReader& reader, std::string_view key, bool otherwise, Diagnostics& out) {
  const auto value = reader.optional(key);
  return value ? value->as_bool(out).value_or(otherwise) : otherwise;
}

MemoryExtra read_extra(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  MemoryExtra extra{text_field(reader, "text", out), memory_quantity(reader, out),
                    overrides_field(reader, out)};
  reader.finish();
  return extra;
}

Row read_memory(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  MemoryRow row{
      study_fields(reader, out), text_field(reader, "case", out), memory_quantity(reader, out), {}};
  if (const auto also = reader.optional("also")) {
    for (const io::Value& extra : also->items(out)) row.also.push_back(read_extra(extra, out));
  }
  reader.finish();
  return row;
}

Row read_state(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  StateRow row{study_fields(reader, out), text_field(reader, "case", out), 0,
               flag(reader, "sharded", false, out)};
  if (const auto bytes = reader.required("bytes_per_parameter")) {
    row.bytes_per_parameter = bytes->as_integer(1, kMostBytesPerParameter, out).value_or(0);
  }
  reader.finish();
  return row;
}

Row read_busbw(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  BusbwRow row;
  row.place.node = text_field(reader, "node", out);
  row.place.overlay = optional_text(reader, "overlay", out);
  if (const auto gpus = reader.required("gpus")) {
    for (const io::Value& gpu : gpus->items(out)) {
      row.place.gpus.push_back(
          {0, static_cast<int>(gpu.as_integer(0, kMostGpus, out).value_or(0))});
    }
  }
  if (const auto size = reader.required("size")) {
    row.size = size->as_bytes(out).value_or(Bytes{});
  }
  row.against_p2p_off = flag(reader, "against_p2p_off", false, out);
  reader.finish();
  return row;
}

Ratio read_ratio(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  Ratio ratio{text_field(reader, "name", out), text_field(reader, "of", out),
              text_field(reader, "over", out), flag(reader, "scored", true, out)};
  reader.finish();
  return ratio;
}

Rule read_rule(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  Rule rule{text_field(reader, "text", out), text_list(reader, "less", out),
            text_list(reader, "than", out)};
  reader.finish();
  return rule;
}

/// Rules speak of ratios by name; a name nobody has would make a rule hold by saying nothing.
void check_rule_names(const io::Value& value, const ThroughputRow& row, Diagnostics& out) {
  std::vector<std::string> known;
  for (const Ratio& ratio : row.ratios) known.push_back(ratio.name);
  for (const Rule& rule : row.rules) {
    for (const auto* names : {&rule.less, &rule.than}) {
      for (const std::string& name : *names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        value.error("unknown-ratio", "a rule names the unknown ratio \"" + name + "\"",
                    suggest_name(name, known), out);
      }
    }
  }
}

Row read_throughput(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  ThroughputRow row{study_fields(reader, out), {}, {}};
  if (const auto ratios = reader.required("ratios")) {
    for (const io::Value& ratio : ratios->items(out)) row.ratios.push_back(read_ratio(ratio, out));
  }
  if (const auto rules = reader.optional("rules")) {
    for (const io::Value& rule : rules->items(out)) row.rules.push_back(read_rule(rule, out));
  }
  check_rule_names(value, row, out);
  reader.finish();
  return row;
}

Row read_spread(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  SpreadRow row{study_fields(reader, out), text_list(reader, "of", out),
                text_list(reader, "over", out)};
  reader.finish();
  return row;
}

}  // namespace

const std::vector<RowKind>& row_kinds() {
  static const std::vector<RowKind> kinds{{"memory", read_memory},
                                          {"state_estimate", read_state},
                                          {"busbw", read_busbw},
                                          {"throughput", read_throughput},
                                          {"spread", read_spread}};
  return kinds;
}

}  // namespace heddle::cli::accuracy
