#include "validator/judge/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/stable_hash.h"
#include "sim/base/units_text.h"
#include "sim/engine/simulation.h"
#include "sim/io/file.h"
#include "validator/execute/measured_result.h"
#include "validator/judge/prediction_json.h"
#include "validator/judge/probe_schedule.h"

namespace heddle::judge {
namespace {

using execute::RankRun;

constexpr int kProbeRepeats = 3;
constexpr int kWarmUps = 2;
constexpr int kBatch = 9;
constexpr double kResidentShare = 0.05;
constexpr Bytes kResidentSlack = mebibytes(16);
constexpr Bytes kProcess = mebibytes(64);  // of a rank, before it has a schedule
constexpr double kCheckSlowness = 4;       // data filled and verified, pages touched each time

/// A GPU's memory is never this much: the backend finds out how much there is.
constexpr Bytes kWholeGpu = gibibytes(1024);

engine::ExecutorOptions recording(bool replay_allocator) {
  engine::ExecutorOptions options;
  options.replay_allocator = replay_allocator;
  return options;
}

/// How much the processes grew, at most, over what they were before the run; of the fullest.
Bytes resident_growth(const std::vector<RankRun>& runs) {
  Bytes most;
  for (const RankRun& run : runs) {
    for (const execute::MemoryPoint& point : run.memory) {
      most = std::max(most, point.resident - run.resident_before);
    }
  }
  return most;
}

class Validator {
 public:
  Validator(const ValidationPlan& plan, const ValidationListener& listener)
      : plan_(plan), listener_(listener), folder_(plan.fleet.folder) {}

  Validation run();

 private:
  const schedule::Schedule& planned() const { return plan_.planned.schedule; }
  const io::ScheduleFile& executed() const {
    return plan_.executed ? *plan_.executed : plan_.planned;
  }
  void tell(const std::string& stage) const {
    if (listener_.stage) listener_.stage(stage);
  }
  const launch::BackendTraits& traits() const { return plan_.fleet.backend->traits; }
  /// The GPU's allocator follows the simulator's rules.
  bool has_segments() const { return traits().on_gpu && !plan_.async_allocator; }
  void predict_memory();
  std::string too_large() const;
  bool prepare();
  bool check();
  void compare_footprint(const std::vector<RankRun>& runs);
  std::optional<HostCosts> calibrate();
  engine::RunResult simulated(const HostCosts& costs) const;
  bool predict();
  bool see_drift();
  bool measure();
  bool measure_quietly();
  void judge();
  void judge_memory();
  bool failed(std::optional<launch::FleetFailure> failure);
  worker::Request request_for(const std::string& file, const std::string& hash) const;

  const ValidationPlan& plan_;
  const ValidationListener& listener_;
  std::string folder_;
  std::unique_ptr<launch::Fleet> fleet_;
  std::vector<engine::RunResult> samples_;
  std::vector<Bytes> reserved_;  // of the samples
  engine::RunResult memory_;     // of the planned schedule; its times mean nothing
  Validation result_;
};

/// True if there is one; the rest of the validation is then off.
bool Validator::failed(std::optional<launch::FleetFailure> failure) {
  if (!failure) return false;
  result_.verdict = failure->problem == launch::FleetProblem::kWrongData ? Verdict::kDisagrees
                                                                         : Verdict::kNotMeasured;
  result_.complete = failure->problem != launch::FleetProblem::kInterrupted;
  result_.reasons.push_back(failure->text);
  result_.failure = std::move(failure);
  return true;
}

worker::Request Validator::request_for(const std::string& file, const std::string& hash) const {
  worker::Request request;
  request.schedule_file = file;
  request.schedule_hash = hash;
  if (!traits().cpu_memory) request.memory = kWholeGpu;
  request.async_allocator = plan_.async_allocator;
  return request;
}

/// Memory does not depend on time: any costs predict it.
void Validator::predict_memory() {
  engine::CostTable free;
  free.kernels.resize(planned().kernels.size());
  free.collectives.resize(planned().collectives.size());
  memory_ = engine::simulate(planned(), free, recording(false));
}

/// Why the machine is too small, "" if it is not.
std::string Validator::too_large() const {
  if (!traits().cpu_memory) return "";
  Bytes needed;
  for (const engine::RankResult& rank : memory_.ranks) {
    const Bytes each =
        rank.peak.total() + plan_.fleet.backend->harness(planned(), rank.first_rank) + kProcess;
    needed += each * rank.multiplicity;
  }
  const Bytes available = available_memory();
  if (available.value == 0 || needed <= available) return "";
  return fmt::format("{} ranks need {} here, {} are available; shrink the model with --scale",
                     planned().rank_count(), format_bytes(needed), format_bytes(available));
}

bool Validator::prepare() {
  result_.host = host_facts();
  predict_memory();
  const std::string too_large = this->too_large();
  if (!too_large.empty()) {
    return !failed(launch::FleetFailure{launch::FleetProblem::kUnsupported, -1, too_large, {}});
  }
  tell("starting ranks");
  launch::FleetFailure failure;
  fleet_ = launch::Fleet::start(plan_.fleet, failure);
  if (!fleet_) return !failed(failure);
  for (const auto& [name, value] : fleet_->hellos().front().versions) {
    if (name == "transport") result_.host.transport = value;
  }
  result_.hellos = fleet_->hellos();
  const std::string differences = fleet_->differences();
  if (!differences.empty()) {
    return !failed(launch::FleetFailure{
        launch::FleetProblem::kUnsupported, -1, "ranks are not alike:\n" + differences, {}});
  }
  io::write_file(folder_ + "/executed.hsched",
                 plan_.executed ? plan_.executed_text : plan_.planned_text);
  return true;
}

bool Validator::check() {
  tell("checking data and memory");
  worker::Request request = request_for(folder_ + "/executed.hsched", executed().hash);
  request.options.settings = {true, true};
  request.options.memory = true;
  request.fault = plan_.check_fault;
  const std::int64_t deadline =
      plan_.fleet.deadlines.measurement_ns(kCheckSlowness * result_.predicted.end.seconds());
  const launch::FleetRun run = fleet_->run(executed().schedule, request, deadline);
  if (failed(run.failure)) return false;
  result_.counted = execute::measured_result(executed().schedule, run.repeats.front());
  result_.memory = compare_memory({planned(), memory_}, {executed().schedule, result_.counted});
  compare_footprint(run.repeats.front());
  return true;
}

/// What the system says came to be in use, against what was allocated, or against the segments that
/// the allocator took.
void Validator::compare_footprint(const std::vector<RankRun>& runs) {
  result_.resident_growth = resident_growth(runs);
  Bytes expected = result_.memory->predicted_peak;
  if (has_segments()) {
    result_.gpu->checked_reserved = peak_reserved(runs);
    expected = result_.gpu->checked_reserved;
  }
  if (traits().shares_gpu) expected = expected * static_cast<std::int64_t>(runs.size());
  const double off = std::abs(static_cast<double>((result_.resident_growth - expected).value));
  const double allowed = kResidentShare * static_cast<double>(expected.value) +
                         static_cast<double>(kResidentSlack.value);
  result_.resident_agrees = off <= allowed;
  result_.resident_expected = expected;
}

/// Costs as a probe of other shapes and sizes shows them now, or as they were kept.
std::optional<HostCosts> Validator::calibrate() {
  if (plan_.calibration) {
    const CalibrationEntry* entry = plan_.calibration->entry_for(planned().rank_count());
    HEDDLE_CHECK(entry != nullptr, "a calibration without these ranks");
    result_.doubts = doubts(*plan_.calibration, *entry, planned(), result_.host,
                            result_.hellos.front().versions);
    return entry->costs;
  }
  const Probe probe = probe_schedule(planned());
  const std::string text = io::write_schedule(probe.schedule, {"probe", "", ""});
  Diagnostics problems;
  const auto file = io::read_schedule(text, "probe", problems);
  HEDDLE_CHECK(file.has_value(), "a probe that cannot be read back");
  io::write_file(folder_ + "/probe.hsched", text);
  worker::Request request = request_for(folder_ + "/probe.hsched", file->hash);
  request.repeats = kProbeRepeats;
  const launch::FleetRun run =
      fleet_->run(file->schedule, request, 4 * plan_.fleet.deadlines.least_ns);
  if (failed(run.failure)) return std::nullopt;
  return HostCosts(probe, run.repeats);
}

engine::RunResult Validator::simulated(const HostCosts& costs) const {
  return engine::simulate(planned(), costs.price(planned()), recording(has_segments()));
}

bool Validator::predict() {
  tell("calibrating");
  const auto costs = calibrate();
  if (!costs) return false;
  result_.parameters = costs->parameters();
  result_.predicted = simulated(*costs);
  if (traits().on_gpu) {
    if (!result_.gpu) result_.gpu.emplace();
    result_.gpu->is_shared = traits().shares_gpu;
    result_.gpu->predicted_reserved = peak_reserved(result_.predicted);
  }
  const std::string prediction = prediction_json(plan_, result_);
  result_.prediction_hash = StableHash().add(prediction).hex();
  if (listener_.write_prediction) listener_.write_prediction(prediction);
  return true;
}

bool Validator::see_drift() {
  tell("calibrating again");
  const auto costs = calibrate();
  if (!costs) return false;
  const double before = longest_step(result_.predicted);
  result_.drift = longest_step(simulated(*costs)) / before - 1;
  return true;
}

bool Validator::measure() {
  tell("measuring");
  samples_.clear();
  reserved_.clear();
  worker::Request request = request_for(folder_ + "/executed.hsched", executed().hash);
  request.fault = plan_.fault;
  request.repeats = kWarmUps + kBatch;
  const double predicted = result_.predicted.end.seconds();
  const std::int64_t deadline = plan_.fleet.deadlines.measurement_ns(predicted * request.repeats);
  int seen = 0;
  while (true) {
    const auto keep = [&](const std::vector<RankRun>& runs) {
      if (seen++ % (kWarmUps + kBatch) < kWarmUps) return;
      samples_.push_back(execute::measured_result(executed().schedule, runs));
      reserved_.push_back(peak_reserved(runs));
      if (listener_.sample) listener_.sample(result_.attempts, longest_step(samples_.back()));
    };
    const launch::FleetRun run = fleet_->run(executed().schedule, request, deadline, keep);
    if (!samples_.empty()) {
      result_.time = compare_times(planned(), result_.predicted, executed().schedule, samples_);
      result_.typical = samples_[result_.time->typical];
      if (result_.gpu) result_.gpu->measured_reserved = reserved_[result_.time->typical];
    }
    if (failed(run.failure)) return false;
    if (result_.time->step.enough()) return true;
  }
}

/// The same steps with nothing round their ops: what the events cost.
bool Validator::measure_quietly() {
  if (!traits().on_gpu) return true;
  tell("measuring without events");
  worker::Request request = request_for(folder_ + "/executed.hsched", executed().hash);
  request.options.settings.time_ops = false;
  request.repeats = kWarmUps + kBatch;
  const double predicted = result_.predicted.end.seconds();
  const launch::FleetRun run =
      fleet_->run(executed().schedule, request,
                  plan_.fleet.deadlines.measurement_ns(predicted * request.repeats));
  if (failed(run.failure)) return false;
  std::vector<double> steps;
  for (std::size_t i = kWarmUps; i < run.repeats.size(); ++i) {
    steps.push_back(longest_step(execute::measured_result(executed().schedule, run.repeats[i])));
  }
  result_.gpu->quiet = summarize(steps);
  read_topology(folder_ + "/topology.xml", *result_.gpu);
  return true;
}

void Validator::judge_memory() {
  std::vector<std::string>& reasons = result_.reasons;
  const MemoryComparison& memory = *result_.memory;
  if (!memory.equal()) {
    reasons.push_back(fmt::format("memory differs at {} of {} boundaries", memory.totals_differ,
                                  memory.boundaries));
  }
  if (!result_.resident_agrees) {
    reasons.push_back(fmt::format(
        "the {} grew by {}, {} expected", traits().on_gpu ? "GPU's use" : "process",
        format_bytes(result_.resident_growth), format_bytes(result_.resident_expected)));
  }
  if (has_segments() && !result_.gpu->reserved_agrees()) {
    reasons.push_back(fmt::format("the allocator took {}, {} predicted",
                                  format_bytes(result_.gpu->measured_reserved),
                                  format_bytes(result_.gpu->predicted_reserved)));
  }
}

void Validator::judge() {
  judge_memory();
  const TimeComparison& time = *result_.time;
  std::vector<std::string>& reasons = result_.reasons;
  const bool memory_agrees = reasons.empty();
  if (result_.unsteady()) {
    reasons.push_back(fmt::format(
        "unsteady in {} attempts: P10 to P90 is {:.0f} % of the median, costs drifted by {:+.0f} %",
        result_.attempts, 100 * time.step.spread(), 100 * result_.drift));
    result_.verdict = memory_agrees ? Verdict::kNotMeasured : Verdict::kDisagrees;
    return;
  }
  if (std::abs(time.error()) > plan_.tolerance) {
    reasons.push_back(fmt::format("step time is off by {:+.1f} %, more than {:.0f} %",
                                  100 * time.error(), 100 * plan_.tolerance));
  }
  result_.verdict = reasons.empty() ? Verdict::kAgrees : Verdict::kDisagrees;
}

Validation Validator::run() {
  if (!prepare()) return std::move(result_);
  do {
    ++result_.attempts;
    if (!predict()) return std::move(result_);
    if (result_.attempts == 1 && !check()) return std::move(result_);
    if (!measure() || !measure_quietly() || !see_drift()) return std::move(result_);
  } while (result_.unsteady() && result_.attempts < plan_.attempts);
  judge();
  return std::move(result_);
}

}  // namespace

bool Validation::unsteady() const {
  return !time || time->step.noisy() || std::abs(drift) > kMostDrift;
}

std::string_view to_string(Verdict verdict) {
  static constexpr std::array<std::string_view, 3> kNames{"agrees", "disagrees", "not_measured"};
  return kNames[static_cast<std::size_t>(verdict)];
}

Validation validate(const ValidationPlan& plan, const ValidationListener& listener) {
  return Validator(plan, listener).run();
}

}  // namespace heddle::judge
