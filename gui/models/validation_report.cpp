#include "gui/models/validation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/models/report_environment.h"
#include "sim/io/json_document.h"

namespace heddle::gui {
namespace {

using io::Value;

constexpr double kMostSeconds = 9e6;  // 106 days in picoseconds fit 63 bits

class ReportReader {
 public:
  explicit ReportReader(Diagnostics& out) : out_(out) {}

  void read(const Value& root, ValidationReport& report);

 private:
  std::optional<Value> member(const Value& object, std::string_view key) {
    auto found = object.member(key);
    if (!found) {
      object.error("missing-key", fmt::format("has no \"{}\"", key),
                   "write the report again with this program", out_);
    }
    return found;
  }
  std::string text(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? found->as_string(out_).value_or("") : "";
  }
  double number(const Value& value, double low, double high) {
    return value.as_number(low, high, out_).value_or(0);
  }
  double seconds(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? number(*found, 0, kMostSeconds) : 0;
  }
  std::int64_t picoseconds(const Value& value) {
    return std::llround(number(value, -kMostSeconds, kMostSeconds) * 1e12);
  }
  std::int64_t integer(const Value& value) {
    return value.as_integer(-1, std::numeric_limits<std::int64_t>::max(), out_).value_or(0);
  }
  std::uint32_t op_number(const Value& value) {
    const auto op = value.as_integer(0, std::numeric_limits<std::uint32_t>::max(), out_);
    return static_cast<std::uint32_t>(op.value_or(0));
  }
  std::int64_t count(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? integer(*found) : 0;
  }
  int small(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found ? static_cast<int>(found->as_integer(0, 1 << 30, out_).value_or(0)) : 0;
  }
  bool truth(const Value& object, std::string_view key) {
    const auto found = member(object, key);
    return found && found->as_bool(out_).value_or(false);
  }
  std::vector<Value> list(const Value& object, std::string_view key) {
    const auto found = object.member(key);
    return found ? found->items(out_) : std::vector<Value>();
  }
  std::vector<std::string> texts(const Value& object, std::string_view key) {
    std::vector<std::string> all;
    for (const Value& v : list(object, key)) all.push_back(v.as_string(out_).value_or(""));
    return all;
  }
  std::vector<ReportRow> rows(const Value& root, std::string_view key, std::string_view name);
  ReportStep step(const Value& object);
  ReportMemory memory(const Value& object);
  void moments(const Value& timeline, ReportMemory& memory);
  std::vector<ReportLane> lanes(const Value& object, std::string_view key);
  std::vector<ReportOp> ops(const Value& root);

  Diagnostics& out_;
};

std::vector<ReportRow> ReportReader::rows(const Value& root, std::string_view key,
                                          std::string_view name) {
  std::vector<ReportRow> out;
  for (const Value& v : list(root, key)) {
    out.push_back({text(v, name), 0, seconds(v, "predicted_s"), seconds(v, "measured_s")});
    if (v.member("calls")) out.back().calls = small(v, "calls");
  }
  return out;
}

ReportStep ReportReader::step(const Value& object) {
  ReportStep step;
  step.whole = {"whole step", 0, seconds(object, "predicted_s"), seconds(object, "median_s")};
  step.p10 = seconds(object, "p10_s");
  step.p90 = seconds(object, "p90_s");
  step.samples = small(object, "samples");
  step.noisy = truth(object, "noisy");
  if (const auto drift = member(object, "drift")) step.drift = number(*drift, -1, 1e9);
  step.tolerance = seconds(object, "tolerance");
  return step;
}

void ReportReader::moments(const Value& timeline, ReportMemory& memory) {
  memory.rank = small(timeline, "rank");
  for (const Value& v : list(timeline, "moments")) {
    const std::vector<Value> cells = v.items(out_);
    if (cells.size() != 2 + std::size_t{schedule::kCategoryCount}) {
      v.error("bad-moment", "holds no op, bytes and categories", "write the report again", out_);
      return;
    }
    ReportMoment moment{op_number(cells[0]), integer(cells[1]), {}};
    for (std::size_t c = 0; c < moment.predicted.size(); ++c) {
      moment.predicted[c] = integer(cells[2 + c]);
    }
    memory.moments.push_back(moment);
  }
}

ReportMemory ReportReader::memory(const Value& object) {
  ReportMemory memory;
  const auto row = [&](const Value& v, std::string name, const char* predicted,
                       const char* measured) {
    return ReportRow{std::move(name), 0, static_cast<double>(count(v, predicted)),
                     static_cast<double>(count(v, measured))};
  };
  memory.boundaries = small(object, "boundaries");
  memory.differing = small(object, "differing");
  memory.peak = row(object, "peak", "peak_predicted_bytes", "peak_measured_bytes");
  memory.growth = count(object, "resident_growth_bytes");
  memory.growth_agrees = truth(object, "resident_agrees");
  for (const Value& v : list(object, "categories_at_peak")) {
    memory.categories.push_back(row(v, text(v, "category"), "predicted_bytes", "measured_bytes"));
  }
  for (const Value& v : list(object, "differences")) {
    memory.differences.push_back(fmt::format("rank {}, {}, {}: {}", small(v, "rank"),
                                             text(v, "category"), text(v, "op"), text(v, "what")));
  }
  if (const auto timeline = object.member("timeline")) moments(*timeline, memory);
  return memory;
}

std::vector<ReportLane> ReportReader::lanes(const Value& object, std::string_view key) {
  std::vector<ReportLane> out;
  for (const Value& v : list(object, key)) {
    ReportLane lane{small(v, "rank"), small(v, "ranks"), text(v, "stream"), {}};
    for (const Value& s : list(v, "spans")) {
      const std::vector<Value> cells = s.items(out_);
      if (cells.size() != 3) {
        s.error("bad-span", "holds no op, start and end", "write the report again", out_);
        break;
      }
      lane.spans.push_back({op_number(cells[0]), picoseconds(cells[1]), picoseconds(cells[2])});
    }
    out.push_back(std::move(lane));
  }
  return out;
}

std::vector<ReportOp> ReportReader::ops(const Value& root) {
  std::vector<ReportOp> out;
  for (const Value& v : list(root, "ops")) {
    const std::vector<Value> cells = v.items(out_);
    if (cells.size() != 5) {
      v.error("bad-op", "holds no op, name, phase, layer and kind", "write the report again", out_);
      break;
    }
    const auto word = [&](std::size_t i) { return cells[i].as_string(out_).value_or(""); };
    out.push_back(
        {op_number(cells[0]), word(1), word(2), static_cast<int>(integer(cells[3])), word(4)});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.op < b.op; });
  return out;
}

void ReportReader::read(const Value& root, ValidationReport& report) {
  const std::string verdict = text(root, "verdict");
  if (verdict == "agrees") report.verdict = ReportVerdict::kAgrees;
  if (verdict == "disagrees") report.verdict = ReportVerdict::kDisagrees;
  report.reasons = texts(root, "reasons");
  if (const auto failure = root.member("failure")) report.flight = texts(*failure, "flight");
  report.complete = truth(root, "complete");
  report.scenario = text(root, "scenario");
  report.case_id = text(root, "case");
  report.backend = text(root, "backend");
  report.ranks = small(root, "ranks");
  if (const auto scale = member(root, "scale")) report.scale = number(*scale, 0, 1);
  if (const auto found = root.member("step")) report.step = step(*found);
  report.classes = rows(root, "classes", "class");
  report.phases = rows(root, "phases", "phase");
  for (const Value& v : list(root, "rank_steps")) {
    report.rank_steps.push_back(seconds(v, "median_s"));
  }
  if (const auto found = root.member("memory")) report.memory = memory(*found);
  if (const auto found = root.member("lanes")) {
    report.predicted = lanes(*found, "predicted");
    report.measured = lanes(*found, "measured");
  }
  report.ops = ops(root);
}

/// Lanes of another job would lie above each other as if they belonged together.
void check_ranks(const ValidationReport& report, const Value& root, Diagnostics& out) {
  const auto expect = [&](std::size_t found, const char* what) {
    if (found == static_cast<std::size_t>(report.ranks)) return;
    root.error("other-ranks",
               fmt::format("is about {} ranks, but {} {}", report.ranks, what, found),
               "both sides must be of one job: measure again", out);
  };
  if (!report.step) return;
  expect(report.rank_steps.size(), "\"rank_steps\" are");
  for (const auto& [lanes, what] : {std::pair{&report.predicted, "predicted lanes are of"},
                                    std::pair{&report.measured, "measured lanes are of"}}) {
    std::size_t ranks = 0;
    for (const ReportLane& lane : *lanes) {
      if (lane.stream == "compute") ranks += static_cast<std::size_t>(lane.ranks);
    }
    expect(ranks, what);
  }
}

}  // namespace

std::optional<double> ReportRow::error() const {
  if (measured <= 0) return std::nullopt;
  return predicted / measured - 1;
}

bool names_validation(const std::string& text) {
  constexpr std::size_t kHead = 4096;
  return text.substr(0, kHead).find("\"heddle.validation/") != std::string::npos;
}

std::optional<ValidationReport> read_validation_report(const std::string& text,
                                                       const std::string& file, Diagnostics& out) {
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  const Value root = document->root();
  const auto schema = root.member("schema");
  if (!schema || schema->as_string(out).value_or("") != "heddle.validation/1") {
    root.error("no-report", "is no heddle.validation/1",
               "open what `heddle validate --output FILE` writes", out);
    return std::nullopt;
  }
  ValidationReport report;
  report.file = file;
  ReportReader(out).read(root, report);
  report.environment = report_environment(root);
  if (!out.has_errors()) check_ranks(report, root, out);
  return out.has_errors() ? std::nullopt : std::optional(std::move(report));
}

}  // namespace heddle::gui
