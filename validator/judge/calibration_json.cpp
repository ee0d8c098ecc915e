#include "validator/judge/calibration_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/io/json_document.h"
#include "sim/io/json_writer.h"
#include "validator/judge/line_fit.h"

namespace heddle::judge {
namespace {

using io::JsonWriter;
using io::Value;
using schedule::CollectiveKind;

constexpr std::uint32_t kWorld = 0;  // all that is calibrated runs on the communicator of all ranks
constexpr std::string_view kSchema = "heddle.calibration/1";

void write_line(JsonWriter& w, std::string_view key, const LinearTime& line) {
  w.key(key).begin_object().inline_from_here();
  w.field("fixed_s", line.fixed)
      .field("per_flop_s", line.per_flop)
      .field("per_element_s", line.per_element)
      .field("sigma", line.sigma)
      .field("least", line.least)
      .field("most", line.most)
      .end_object();
}

/// With a straight line through its points: what a message costs, and a byte of it.
void write_collective(JsonWriter& w, CollectiveKind kind,
                      const std::vector<CollectivePoint>& points) {
  std::vector<LinePoint> line;
  for (const CollectivePoint& p : points) line.push_back({p.bytes, p.seconds});
  const LineFit fit = fit_line(line);
  w.begin_object().inline_from_here().field("kind", to_string(kind));
  w.field("fixed_s", fit.fixed).field("fixed_sigma_s", fit.fixed_sigma);
  w.field("per_byte_s", fit.slope).field("per_byte_sigma_s", fit.slope_sigma);
  w.field("scatter", fit.scatter).key("points").begin_array();
  for (const CollectivePoint& p : points) {
    w.begin_array().value(p.bytes).value(p.seconds).end_array();
  }
  w.end_array().end_object();
}

void write_entry(JsonWriter& w, const CalibrationEntry& entry) {
  const HostCostValues& v = entry.costs.values();
  w.begin_object().field("ranks", entry.ranks);
  write_line(w, "product", v.product);
  write_line(w, "sweep", v.sweep);
  w.field("turn_s", v.turn).field("beside", v.beside);
  w.field("collective_sigma", v.collective_sigma).key("collectives").begin_array();
  for (const auto& [call, points] : v.collectives) write_collective(w, call.first, points);
  w.end_array().end_object();
}

class CalibrationReader {
 public:
  explicit CalibrationReader(Diagnostics& out) : out_(out) {}

  Calibration read(const Value& root) {
    Calibration c;
    c.backend = text(root, "backend");
    c.host.date = text(root, "date");
    c.host.host = text(root, "host");
    c.host.cpu = text(root, "cpu");
    if (const auto versions = member(root, "versions")) {
      for (const std::string& name : versions->keys()) {
        c.versions.emplace_back(name, text(*versions, name));
      }
    }
    if (const auto entries = member(root, "entries")) {
      for (const Value& entry : entries->items(out_)) c.entries.push_back(read_entry(entry));
    }
    return c;
  }

 private:
  CalibrationEntry read_entry(const Value& entry) {
    HostCostValues v;
    const int ranks = static_cast<int>(number(entry, "ranks"));
    v.product = read_line(entry, "product");
    v.sweep = read_line(entry, "sweep");
    v.turn = number(entry, "turn_s");
    v.beside = number(entry, "beside");
    v.collective_sigma = number(entry, "collective_sigma");
    if (const auto collectives = member(entry, "collectives")) {
      for (const Value& one : collectives->items(out_)) read_collective(one, v);
    }
    return {ranks, HostCosts(std::move(v))};
  }
  LinearTime read_line(const Value& entry, std::string_view key) {
    LinearTime line;
    const auto found = member(entry, key);
    if (!found) return line;
    line.fixed = number(*found, "fixed_s");
    line.per_flop = number(*found, "per_flop_s");
    line.per_element = number(*found, "per_element_s");
    line.sigma = number(*found, "sigma");
    line.least = number(*found, "least");
    line.most = number(*found, "most");
    return line;
  }
  void read_collective(const Value& one, HostCostValues& values) {
    const std::string name = text(one, "kind");
    const auto kind =
        std::find_if(schedule::kCollectiveKinds.begin(), schedule::kCollectiveKinds.end(),
                     [&](CollectiveKind k) { return to_string(k) == name; });
    if (kind == schedule::kCollectiveKinds.end()) {
      one.error("unknown-collective", "is no collective: \"" + name + "\"", "", out_);
      return;
    }
    std::vector<CollectivePoint>& points = values.collectives[{*kind, kWorld}];
    if (const auto list = member(one, "points")) {
      for (const Value& point : list->items(out_)) {
        const std::vector<Value> parts = point.items(out_);
        if (parts.size() == 2) points.push_back({number(parts[0]), number(parts[1])});
      }
    }
    if (points.empty()) one.error("no-points", "has no [bytes, seconds]", "calibrate again", out_);
  }
  std::optional<Value> member(const Value& object, std::string_view key) {
    auto found = object.member(key);
    if (!found) {
      object.error("missing-key", fmt::format("has no \"{}\"", key), "calibrate again", out_);
    }
    return found;
  }
  std::string text(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? found->as_string(out_).value_or("") : "";
  }
  double number(const Value& value) {
    return value.as_number(0, std::numeric_limits<double>::max(), out_).value_or(0);
  }
  double number(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? number(*found) : 0;
  }

  Diagnostics& out_;
};

}  // namespace

std::string calibration_json(const Calibration& c) {
  JsonWriter w;
  w.begin_object().field("schema", kSchema).field("backend", c.backend);
  w.field("date", c.host.date).field("host", c.host.host).field("cpu", c.host.cpu);
  w.field("cores", c.host.cores).field("load", c.host.load).key("versions").begin_object();
  for (const auto& [name, value] : c.versions) w.field(name, value);
  w.end_object().key("entries").begin_array();
  for (const CalibrationEntry& entry : c.entries) write_entry(w, entry);
  w.end_array().end_object();
  return w.take();
}

std::optional<Calibration> read_calibration(const std::string& text, const std::string& file,
                                            Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  const auto schema = document->root().member("schema");
  if (!schema || schema->as_string(out).value_or("") != kSchema) {
    document->root().error("unknown-format", fmt::format("is not {}", kSchema),
                           "write it with heddle calibrate --backend", out);
    return std::nullopt;
  }
  Calibration calibration = CalibrationReader(out).read(document->root());
  if (out.error_count() > before) return std::nullopt;
  return calibration;
}

namespace {

/// nccl-tests' word and the factor from algorithm to bus bandwidth.
std::pair<std::string_view, double> bus(CollectiveKind kind, int ranks) {
  const double n = ranks;
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return {"all_reduce", 2 * (n - 1) / n};
    case CollectiveKind::kAllGather:
      return {"all_gather", (n - 1) / n};
    case CollectiveKind::kReduceScatter:
      return {"reduce_scatter", (n - 1) / n};
    default:
      return {to_string(kind), 1};
  }
}

std::string version_of(const Calibration& c, std::string_view name) {
  const auto found = std::find_if(c.versions.begin(), c.versions.end(),
                                  [&](const auto& pair) { return pair.first == name; });
  return found == c.versions.end() ? "" : found->second;
}

}  // namespace

std::string nccl_tests_text(const Calibration& c) {
  std::string text = fmt::format("# heddle calibrate --backend {}, {}, NCCL {}\n", c.backend,
                                 c.host.date, version_of(c, "transport"));
  for (const CalibrationEntry& entry : c.entries) {
    for (const auto& [call, points] : entry.costs.values().collectives) {
      const CollectiveKind kind = call.first;
      const auto [word, factor] = bus(kind, entry.ranks);
      text += fmt::format("# Collective test starting: {}_perf\n# Using devices\n", word);
      for (int rank = 0; rank < entry.ranks; ++rank) {
        text +=
            fmt::format("#  Rank {0:>2} Group  0 Pid {1:>6} on {2} device {0:>2} [0x{0:02x}] {3}\n",
                        rank, 1000 + rank, c.host.host, version_of(c, "GPU"));
      }
      text +=
          "#       size         count      type   redop    root     time   algbw   busbw #wrong    "
          " "
          "time   algbw   busbw #wrong\n"
          "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)           "
          " "
          "(us)  (GB/s)  (GB/s)       \n";
      for (const CollectivePoint& p : points) {
        const double rate = p.bytes / p.seconds * 1e-9;
        const bool sums = kind != CollectiveKind::kAllGather;
        text += fmt::format(
            "{0:>12.0f}  {1:>12.0f}  bfloat16  {2:>6}      -1  {3:>7.2f}  {4:>6.2f}  {5:>6.2f}    "
            "N/A  {3:>7.2f}  {4:>6.2f}  {5:>6.2f}    N/A\n",
            p.bytes, p.bytes / 2, sums ? "sum" : "none", p.seconds * 1e6, rate, rate * factor);
      }
    }
  }
  return text;
}

}  // namespace heddle::judge
