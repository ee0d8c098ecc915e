#include "validator/judge/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "sim/base/number_text.h"
#include "sim/base/units_text.h"
#include "sim/io/file.h"
#include "sim/io/schedule_file.h"
#include "sim/schedule/schedule_builder.h"
#include "validator/judge/probe_schedule.h"

namespace heddle::judge {
namespace {

using schedule::CollectiveKind;
using schedule::Kernel;
using schedule::KernelKind;
using schedule::StreamKind;

constexpr int kRepeats = 3;
constexpr int kMostDays = 30;
constexpr double kBeyond = 1.5;  // times the largest, or below the smallest

struct Range {
  std::int64_t product = 0;  // edge
  std::int64_t sweep = 0;    // bytes
  std::int64_t message = 0;  // bytes
};
constexpr Range kGpuRange{8192, std::int64_t{1} << 30, std::int64_t{256} << 20};
constexpr Range kHostRange{512, std::int64_t{16} << 20, std::int64_t{4} << 20};

Kernel product(std::int64_t m, std::int64_t n, std::int64_t k) {
  Kernel kernel;
  kernel.kind = KernelKind::kGemm;
  kernel.m = m;
  kernel.n = n;
  kernel.k = k;
  kernel.flops = {2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)};
  return kernel;
}

/// Days since 1970 of "2026-11-30T..."; nullopt for anything else.
std::optional<int> day_of(const std::string& date) {
  if (date.size() < 10) return std::nullopt;
  const auto year = whole_int(date.substr(0, 4), 1970);
  const auto month = whole_int(date.substr(5, 2), 1);
  const auto day = whole_int(date.substr(8, 2), 1);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day parts{std::chrono::year(*year),
                                          std::chrono::month(static_cast<unsigned>(*month)),
                                          std::chrono::day(static_cast<unsigned>(*day))};
  if (!parts.ok()) return std::nullopt;
  return static_cast<int>(std::chrono::sys_days(parts).time_since_epoch().count());
}

}  // namespace

const CalibrationEntry* Calibration::entry_for(int ranks) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(),
                   [&](const CalibrationEntry& entry) { return entry.ranks == ranks; });
  return found == entries.end() ? nullptr : &*found;
}

schedule::Schedule calibration_schedule(int ranks, bool on_gpu) {
  const Range range = on_gpu ? kGpuRange : kHostRange;
  schedule::ScheduleBuilder b(ranks);
  for (std::int64_t edge = range.product; edge >= range.product / 16; edge /= 2) {
    b.compute(product(edge, edge, edge), 1, "square");
    b.compute(product(edge / 4, edge, edge), 1, "flat");
  }
  Kernel sweep;
  for (const std::int64_t bytes : {std::int64_t{16} << 10, range.sweep}) {
    sweep.bytes = {bytes};
    b.compute(sweep, 1, "sweep");
  }
  for (const CollectiveKind kind :
       {CollectiveKind::kAllReduce, CollectiveKind::kAllGather, CollectiveKind::kReduceScatter}) {
    for (const std::int64_t bytes : {std::int64_t{1} << 10, range.message}) {
      b.collective({kind, b.world(), {bytes}}, 1, "message", StreamKind::kReduce);
    }
  }
  return b.finish(1);
}

CalibrationOutcome calibrate(const launch::FleetPlan& plan, const std::vector<int>& ranks,
                             const std::function<void(const std::string&)>& tell) {
  CalibrationOutcome outcome;
  outcome.calibration.backend = plan.backend->name;
  outcome.calibration.host = host_facts();
  for (const int count : ranks) {
    if (tell) tell(fmt::format("calibrating {} ranks", count));
    launch::FleetPlan mine = plan;
    mine.ranks = count;
    launch::FleetFailure failure;
    const auto fleet = launch::Fleet::start(mine, failure);
    if (!fleet) {
      outcome.failure = failure;
      return outcome;
    }
    outcome.calibration.versions = fleet->hellos().front().versions;
    const Probe probe =
        probe_schedule(calibration_schedule(count, !plan.backend->traits.cpu_memory));
    const std::string text = io::write_schedule(probe.schedule, {"calibration", "", ""});
    Diagnostics problems;
    worker::Request request;
    request.schedule_file = plan.folder + "/calibration.hsched";
    request.schedule_hash = io::read_schedule(text, "calibration", problems)->hash;
    request.repeats = kRepeats;
    io::write_file(request.schedule_file, text);
    const launch::FleetRun run = fleet->run(probe.schedule, request, 10 * plan.deadlines.least_ns);
    if (run.failure) {
      outcome.failure = run.failure;
      return outcome;
    }
    outcome.calibration.entries.push_back({count, HostCosts(probe, run.repeats)});
  }
  return outcome;
}

namespace {

class Doubts {
 public:
  explicit Doubts(const HostCostValues& values) : values_(values) {}

  void look_at(const schedule::Schedule& schedule) {
    for (const schedule::Op& op : schedule.programs.front().ops) {
      if (op.kind == schedule::OpKind::kCompute) look_at(schedule.kernels[op.arg]);
      if (op.kind == schedule::OpKind::kCollective) look_at(schedule.collectives[op.arg]);
    }
  }
  const std::set<std::string>& lines() const { return lines_; }

 private:
  void look_at(const Kernel& kernel) {
    const bool is_sweep = kernel.kind == KernelKind::kMemory;
    const LinearTime& line = is_sweep ? values_.sweep : values_.product;
    const double size = is_sweep ? static_cast<double>(kernel.bytes.value) : kernel.flops.value;
    if (size > kBeyond * line.most || size * kBeyond < line.least) {
      lines_.insert(fmt::format("extrapolated: {} beyond the sizes it was fitted to",
                                is_sweep ? "sweeps" : "products"));
    }
  }
  void look_at(const schedule::Collective& collective) {
    const auto found = values_.collectives.find({collective.kind, collective.communicator.value});
    const std::string name(to_string(collective.kind));
    if (found == values_.collectives.end()) {
      lines_.insert("extrapolated: " + name + " was not measured at all");
      return;
    }
    const auto bytes = static_cast<double>(collective.bytes.value);
    const auto& points = found->second;
    if (bytes > kBeyond * points.back().bytes || bytes * kBeyond < points.front().bytes) {
      lines_.insert("extrapolated: " + name + " beyond the sizes it was fitted to");
    }
    const bool same = std::any_of(points.begin(), points.end(),
                                  [&](const CollectivePoint& p) { return p.bytes == bytes; });
    if (same) {
      lines_.insert(fmt::format("not disjoint: {} of {} was measured to calibrate", name,
                                format_bytes(collective.bytes)));
    }
  }

  const HostCostValues& values_;
  std::set<std::string> lines_;
};

}  // namespace

std::vector<std::string> doubts(const Calibration& calibration, const CalibrationEntry& entry,
                                const schedule::Schedule& schedule, const HostFacts& now,
                                const std::vector<std::pair<std::string, std::string>>& versions) {
  std::vector<std::string> lines;
  if (calibration.host.host != now.host || calibration.host.cpu != now.cpu) {
    lines.push_back(fmt::format("stale: made on {} ({}), this is {} ({})", calibration.host.host,
                                calibration.host.cpu, now.host, now.cpu));
  }
  for (const auto& [name, value] : versions) {
    for (const auto& [other, before] : calibration.versions) {
      if (other != name || before == value) continue;
      lines.push_back(fmt::format("stale: {} was \"{}\", is \"{}\"", name, before, value));
    }
  }
  const auto then = day_of(calibration.host.date);
  const auto today = day_of(now.date);
  if (then && today && *today - *then > kMostDays) {
    lines.push_back(fmt::format("stale: made {} days ago", *today - *then));
  }
  Doubts beyond(entry.costs.values());
  beyond.look_at(schedule);
  lines.insert(lines.end(), beyond.lines().begin(), beyond.lines().end());
  return lines;
}

}  // namespace heddle::judge
