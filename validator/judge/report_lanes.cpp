#include "validator/judge/report_lanes.h"

#include <fmt/format.h>

#include <limits>

#include "sim/io/json_document.h"

namespace heddle::judge {
namespace {

using io::Value;

class LaneReader {
 public:
  explicit LaneReader(Diagnostics& out) : out_(out) {}

  std::vector<ReportLane> lanes(const Value& list) {
    std::vector<ReportLane> lanes;
    for (const Value& item : list.items(out_)) {
      ReportLane lane{static_cast<int>(integer(member(item, "rank"))),
                      static_cast<int>(integer(member(item, "ranks"))),
                      text(member(item, "stream")),
                      {}};
      if (const auto spans = member(item, "spans")) {
        for (const Value& span : spans->items(out_)) {
          const std::vector<Value> parts = span.items(out_);
          if (parts.size() != 3) {
            span.error("lane-span", "is not [op, start, end]", "write the report again", out_);
            continue;
          }
          lane.spans.push_back({integer(parts[0]), number(parts[1]), number(parts[2])});
        }
      }
      lanes.push_back(std::move(lane));
    }
    return lanes;
  }

  std::vector<LaneOp> ops(const Value& list) {
    std::vector<LaneOp> ops;
    for (const Value& item : list.items(out_)) {
      const std::vector<Value> parts = item.items(out_);
      if (parts.size() != 5) {
        item.error("lane-op", "is not [op, name, phase, layer, kind]", "write the report again",
                   out_);
        continue;
      }
      ops.push_back(
          {integer(parts[0]), text(parts[1]), text(parts[2]), integer(parts[3]), text(parts[4])});
    }
    return ops;
  }

  std::vector<CategoryAtPeak> categories(const Value& list) {
    std::vector<CategoryAtPeak> categories;
    for (const Value& item : list.items(out_)) {
      categories.push_back({text(member(item, "category")), number(member(item, "predicted_bytes")),
                            number(member(item, "measured_bytes"))});
    }
    return categories;
  }

  std::optional<Value> member(const Value& object, std::string_view key) {
    auto found = object.member(key);
    if (!found) {
      object.error("missing-key", fmt::format("has no \"{}\"", key),
                   "write the report again with this program", out_);
    }
    return found;
  }
  std::string text(const std::optional<Value>& value) {
    return value ? value->as_string(out_).value_or("") : "";
  }
  double number(const std::optional<Value>& value) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return value ? value->as_number(-kMost, kMost, out_).value_or(0) : 0;
  }
  std::int64_t integer(const std::optional<Value>& value) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return value ? value->as_integer(-1, kMost, out_).value_or(0) : 0;
  }

 private:
  Diagnostics& out_;
};

}  // namespace

std::optional<ReportLanes> read_lanes(const std::string& text, const std::string& file,
                                      Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  const Value root = document->root();
  const auto lanes = root.member("lanes");
  if (!lanes) return std::nullopt;
  LaneReader reader(out);
  ReportLanes all;
  all.title = fmt::format("{}, {}: {} ranks on {}", reader.text(reader.member(root, "scenario")),
                          reader.text(reader.member(root, "case")),
                          reader.integer(reader.member(root, "ranks")),
                          reader.text(reader.member(root, "backend")));
  all.verdict = reader.text(reader.member(root, "verdict"));
  if (const auto list = reader.member(*lanes, "predicted")) all.predicted = reader.lanes(*list);
  if (const auto list = reader.member(*lanes, "measured")) all.measured = reader.lanes(*list);
  if (const auto list = reader.member(root, "ops")) all.ops = reader.ops(*list);
  if (const auto memory = root.member("memory")) {
    if (const auto list = memory->member("categories_at_peak")) {
      all.categories = reader.categories(*list);
    }
  }
  if (out.error_count() > before) return std::nullopt;
  return all;
}

}  // namespace heddle::judge
