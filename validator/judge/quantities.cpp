#include "validator/judge/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/io/json_document.h"

namespace heddle::judge {
namespace {

using io::Value;

struct Field {
  std::string_view key;
  std::string_view name;
  std::string_view unit;
};

constexpr std::array kRunFields{
    Field{"step_time_s", "step", "s"},
    Field{"compute_s", "compute", "s"},
    Field{"exposed_comm_s", "exposed communication", "s"},
    Field{"host_s", "host", "s"},
    Field{"other_s", "other", "s"},
    Field{"tokens_per_s", "tokens", "1/s"},
    Field{"wire_bytes", "sent per GPU", "B"},
};
constexpr std::array kMemoryFields{
    Field{"resident_bytes", "resident", "B"},
    Field{"peak_allocated_bytes", "peak allocated", "B"},
    Field{"peak_active_bytes", "peak active", "B"},
    Field{"peak_reserved_bytes", "peak reserved", "B"},
};

class QuantityReader {
 public:
  explicit QuantityReader(Diagnostics& out) : out_(out) {}

  std::vector<QuantitySet> results(const Value& root) {
    std::vector<QuantitySet> sets;
    const auto runs = member(root, "runs");
    if (!runs) return sets;
    for (const Value& run : runs->items(out_)) {
      QuantitySet set{text(run, "case"), {}};
      for (const Field& field : kRunFields) take(run, field, set);
      if (const auto memory = member(run, "memory")) {
        for (const Field& field : kMemoryFields) take(*memory, field, set);
      }
      sets.push_back(std::move(set));
    }
    return sets;
  }

  std::vector<QuantitySet> validation(const Value& root) {
    const std::string of = text(root, "case");
    return {side(root, of + ", predicted", "predicted"), side(root, of + ", measured", "measured")};
  }

 private:
  std::optional<Value> member(const Value& object, std::string_view key) {
    auto found = object.member(key);
    if (!found) {
      object.error("missing-key", fmt::format("has no \"{}\"", key),
                   "write the file again with this program", out_);
    }
    return found;
  }
  std::string text(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? found->as_string(out_).value_or("") : "";
  }
  double number(const Value& value) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return value.as_number(-kMost, kMost, out_).value_or(0);
  }
  void take(const Value& object, const Field& field, QuantitySet& set) {
    const auto found = member(object, field.key);
    if (!found) return;
    set.quantities.push_back({std::string(field.name), std::string(field.unit), number(*found)});
  }
  /// A validation that could not measure has no times, or no memory.
  QuantitySet side(const Value& root, std::string title, const std::string& which) {
    QuantitySet set{std::move(title), {}};
    if (const auto step = root.member("step")) {
      const std::string key = which == "measured" ? "median_s" : "predicted_s";
      take(*step, {key, "step", "s"}, set);
    }
    rows(root, "classes", "class", which, set);
    rows(root, "phases", "phase", which, set);
    if (const auto memory = root.member("memory")) {
      const std::string key = "peak_" + which + "_bytes";
      take(*memory, {key, "peak allocated", "B"}, set);
    }
    return set;
  }
  void rows(const Value& root, std::string_view list, std::string_view name,
            const std::string& which, QuantitySet& set) {
    const auto found = root.member(list);
    if (!found) return;
    for (const Value& row : found->items(out_)) {
      const std::string title = fmt::format("{} {}", name, text(row, name));
      const std::string key = which + "_s";
      take(row, {key, title, "s"}, set);
    }
  }

  Diagnostics& out_;
};

}  // namespace

std::optional<std::vector<QuantitySet>> read_quantities(const std::string& text,
                                                        const std::string& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  const auto schema = document->root().member("schema");
  const std::string name = schema ? schema->as_string(out).value_or("") : "";
  std::vector<QuantitySet> sets;
  if (name == "heddle.result/1") {
    sets = QuantityReader(out).results(document->root());
  } else if (name == "heddle.validation/1") {
    sets = QuantityReader(out).validation(document->root());
  } else {
    document->root().error("unknown-format", fmt::format("is \"{}\"", name),
                           "write it with heddle run --format json or heddle validate -o", out);
  }
  if (out.error_count() > before) return std::nullopt;
  return sets;
}

std::vector<QuantityPair> pair_up(const QuantitySet& a, const QuantitySet& b) {
  std::vector<QuantityPair> pairs;
  for (const Quantity& mine : a.quantities) {
    const auto other = std::find_if(b.quantities.begin(), b.quantities.end(),
                                    [&](const Quantity& q) { return q.name == mine.name; });
    if (other == b.quantities.end()) continue;
    pairs.push_back({mine.name, mine.unit, mine.value, other->value});
  }
  return pairs;
}

}  // namespace heddle::judge
