#include "sim/cli/accuracy/sweep_score.h"

#include <cmath>
#include <variant>

#include "sim/cli/accuracy/nccl_variables.h"
#include "sim/cli/accuracy/sweep_place.h"
#include "sim/io/file.h"
#include "sim/run/machine.h"

namespace heddle::cli::accuracy {
namespace {

constexpr Bytes kLargeFrom{64LL << 20};
constexpr Bytes kSmallTo{64LL << 10};
constexpr double kAlike = 0.05;

/// "H100-SXM-80GB" and "A100-SXM4-40GB": the memory is not a kind.
std::string without_memory(const std::string& gpu) {
  const std::size_t dash = gpu.rfind('-');
  const bool is_memory = dash != std::string::npos && gpu.ends_with("GB");
  return is_memory ? gpu.substr(0, dash) : gpu;
}

Standing standing_of(const MeasuredSweep& sweep, const SweepPlace& place) {
  if (!place.choice.overlay.empty()) return Standing::kCalibrated;
  if (sweep.quality == "measured_noisy" || sweep.quality == "measured_partial_config") {
    return Standing::kNotComparable;
  }
  return forces_a_way(sweep.env) ? Standing::kForced : Standing::kScored;
}

ScoredPoint score_point(const TimedSize& measured, const run::Machine& machine,
                        schedule::CollectiveKind kind) {
  const double us = machine.world.cost({kind, measured.bytes}).total.seconds() * 1e6;
  return {measured.bytes, measured.us, us, (us / measured.us - 1) * 100};
}

/// Or why not.
std::variant<SweepScore, std::string> score_sweep(const MeasuredSweep& sweep,
                                                  const PlaceRules& rules, const Environment& env) {
  const PlaceOrReason read = place_of(sweep, rules, env.catalog);
  if (const auto* reason = std::get_if<std::string>(&read)) return *reason;
  const SweepPlace& place = std::get<SweepPlace>(read);
  Diagnostics problems;
  const auto machine =
      run::resolve_machine(place.choice, sweep.id, env.catalog, io::read_file, problems);
  if (!machine) return problems.all().front().message;
  if (const auto refusal = machine->world.refusal(place.kind)) return refusal->reason;
  SweepScore score{sweep,      standing_of(sweep, place),
                   place.text, without_memory(machine->fabric.gpu_model()),
                   place.kind, place.choice.nodes,
                   {},         place.assumptions};
  for (const TimedSize& point : sweep.points) {
    score.points.push_back(score_point(point, *machine, place.kind));
  }
  return score;
}

bool are_siblings(const SweepScore& a, const SweepScore& b) {
  return b.standing == Standing::kScored && a.measured.gpu == b.measured.gpu &&
         a.measured.gpus == b.measured.gpus && a.measured.nodes == b.measured.nodes &&
         a.kind == b.kind;
}

std::optional<SiblingFactor> factor_of(const SweepScore& forced, const SweepScore& sibling) {
  std::vector<double> measured;
  std::vector<double> predicted;
  for (const ScoredPoint& p : forced.points) {
    for (const ScoredPoint& q : sibling.points) {
      if (p.bytes != q.bytes) continue;
      measured.push_back(p.measured_us / q.measured_us);
      predicted.push_back(p.predicted_us / q.predicted_us);
    }
  }
  if (measured.empty()) return std::nullopt;
  return SiblingFactor{forced.measured.id, sibling.measured.id, median(measured),
                       median(predicted)};
}

std::vector<SiblingFactor> factors_of(const std::vector<SweepScore>& records) {
  std::vector<SiblingFactor> factors;
  for (const SweepScore& forced : records) {
    if (forced.standing != Standing::kForced) continue;
    for (const SweepScore& sibling : records) {
      if (!are_siblings(forced, sibling)) continue;
      const auto factor = factor_of(forced, sibling);
      if (!factor) continue;
      factors.push_back(*factor);
      break;
    }
  }
  return factors;
}

/// -1 faster, 0 alike, 1 slower.
int direction(double factor) {
  if (std::abs(factor - 1) <= kAlike) return 0;
  return factor > 1 ? 1 : -1;
}

}  // namespace

const char* to_string(SizeClass size) {
  switch (size) {
    case SizeClass::kLarge:
      return "large";
    case SizeClass::kMiddle:
      return "middle";
    case SizeClass::kSmall:
      return "small";
  }
  return "";
}

const char* to_string(Standing standing) {
  switch (standing) {
    case Standing::kScored:
      return "scored";
    case Standing::kNotComparable:
      return "not comparable";
    case Standing::kCalibrated:
      return "calibrated";
    case Standing::kForced:
      return "forced";
  }
  return "";
}

SizeClass size_class(Bytes bytes) {
  if (bytes >= kLargeFrom) return SizeClass::kLarge;
  return bytes <= kSmallTo ? SizeClass::kSmall : SizeClass::kMiddle;
}

std::optional<ClassError> SweepScore::error(SizeClass size) const {
  std::vector<double> absolute;
  std::vector<double> with_sign;
  for (const ScoredPoint& p : points) {
    if (size_class(p.bytes) != size) continue;
    absolute.push_back(std::abs(p.error_pct));
    with_sign.push_back(p.error_pct);
  }
  if (absolute.empty()) return std::nullopt;
  return ClassError{median(absolute), median(with_sign)};
}

bool SiblingFactor::same_direction() const {
  return direction(measured) == direction(predicted);
}

SweepScores score_sweeps(const std::vector<MeasuredSweep>& sweeps, const PlaceRules& rules,
                         const Environment& env) {
  SweepScores scores;
  for (const MeasuredSweep& sweep : sweeps) {
    auto score = score_sweep(sweep, rules, env);
    if (const auto* reason = std::get_if<std::string>(&score)) {
      scores.unsupported.push_back({sweep.id, *reason});
    } else {
      scores.records.push_back(std::move(std::get<SweepScore>(score)));
    }
  }
  scores.factors = factors_of(scores.records);
  return scores;
}

}  // namespace heddle::cli::accuracy
