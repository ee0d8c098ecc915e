#include "sim/cli/accuracy/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/units_text.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/sweep.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kTraining = "training relation";

double gb(Bytes bytes) {
  return static_cast<double>(bytes.value) * 1e-9;
}

Bytes read(const Outcome& outcome, MemoryQuantity quantity) {
  return quantity == MemoryQuantity::kResident ? outcome.memory.resident
                                               : outcome.memory.peak_allocated;
}

/// One rule over named values: met or missed, with the figures that decide it.
bool judge(const Rule& rule, const std::map<std::string, double>& values,
           std::vector<std::string>& figures) {
  double highest = 0;
  double lowest = INFINITY;
  for (const std::string& name : rule.less) highest = std::max(highest, values.at(name));
  for (const std::string& name : rule.than) lowest = std::min(lowest, values.at(name));
  const bool met = highest < lowest;
  figures.push_back(fmt::format("{}: {} ({} < {})", rule.text, met ? "met" : "MISSED",
                                format_significant(highest, 4), format_significant(lowest, 4)));
  return met;
}

class Predictor {
 public:
  Predictor(const std::optional<Measured>& measured, Outcomes& outcomes)
      : measured_(measured), outcomes_(outcomes) {}

  Prediction operator()(const MemoryRow& row) {
    const bool resident = row.read == MemoryQuantity::kResident;
    Prediction p = named(resident ? "memory resident" : "memory peak",
                         resident ? "resident after the optimizer step, GB" : "peak allocated, GB");
    p.value = gb(read(outcomes_.of(row.study, row.case_id), row.read));
    for (const MemoryExtra& extra : row.also) {
      StudyRequest study = row.study;
      study.overrides.insert(study.overrides.end(), extra.overrides.begin(), extra.overrides.end());
      const Bytes bytes = read(outcomes_.of(study, row.case_id), extra.read);
      p.figures.push_back(fmt::format("{}: {} GB", extra.text, gb_text(bytes)));
    }
    return p;
  }

  Prediction operator()(const StateRow& row) {
    const Outcome& outcome = outcomes_.of(row.study, row.case_id);
    const int shards = row.sharded ? outcome.ranks : 1;
    Prediction p = named(kStateGroup, "accounting of weights, gradients and moments, GB");
    p.value = static_cast<double>(outcome.parameters) * 1e-9 *
              static_cast<double>(row.bytes_per_parameter) / shards;
    p.figures.push_back(
        fmt::format("{} bytes x {} parameters / {}; the simulated peak is {} GB, {}",
                    row.bytes_per_parameter, outcome.parameters, shards,
                    gb_text(outcome.memory.peak_allocated), verdict_text(outcome.memory.verdict)));
    return p;
  }

  Prediction operator()(const BusbwRow& row) {
    const double fast = busbw(row.place, row.size);
    Prediction p = named("busbw", "all-reduce bus bandwidth, GB/s");
    p.value = fast;
    if (!row.against_p2p_off) return p;
    run::FabricChoice staged = row.place;
    staged.comm.p2p = false;
    const double slow = busbw(staged, row.size);
    p.quantity = "all-reduce bus bandwidth, P2P on over off";
    p.value = fast / slow;
    p.figures.push_back(fmt::format("{} GB/s against {} GB/s through host memory",
                                    format_significant(fast, 4), format_significant(slow, 4)));
    return p;
  }

  Prediction operator()(const ThroughputRow& row) {
    Prediction p = named(kTraining, "ratio of throughputs");
    std::map<std::string, double> values;
    std::string farthest;
    for (const Ratio& ratio : row.ratios) {
      const double value = rate(row.study, ratio.of) / rate(row.study, ratio.over);
      values[ratio.name] = value;
      if (ratio.scored && take_if_farther(value, p)) farthest = ratio.name;
      p.figures.push_back(fmt::format("{}: {}", ratio.name, format_significant(value, 4)));
    }
    const auto scored = std::count_if(row.ratios.begin(), row.ratios.end(),
                                      [](const Ratio& ratio) { return ratio.scored; });
    if (p.value && scored > 1) p.quantity += ", farthest: " + farthest;
    for (const Rule& rule : row.rules) {
      const bool met = judge(rule, values, p.figures);
      p.rules_met = p.rules_met.value_or(true) && met;
    }
    return p;
  }

  Prediction operator()(const SpreadRow& row) {
    const double of = spread(row.study, row.of);
    const double over = spread(row.study, row.over);
    Prediction p = named(kTraining, "ratio of spreads between strategies");
    p.value = of / over;
    p.figures.push_back(fmt::format("fastest over slowest, minus 1: {} % against {} %",
                                    percent_text(of), percent_text(over)));
    return p;
  }

 private:
  static Prediction named(const char* group, const char* quantity) {
    return {group, quantity, std::nullopt, std::nullopt, {}};
  }

  double busbw(const run::FabricChoice& place, Bytes size) const {
    const run::Machine machine = outcomes_.machine(place);
    return sweep_point(machine.world, schedule::CollectiveKind::kAllReduce, size).busbw_gb;
  }

  double rate(const StudyRequest& study, const std::string& case_id) {
    return outcomes_.of(study, case_id).samples_per_second;
  }

  double spread(const StudyRequest& study, const std::vector<std::string>& cases) {
    double slowest = INFINITY;
    double fastest = 0;
    for (const std::string& id : cases) {
      slowest = std::min(slowest, rate(study, id));
      fastest = std::max(fastest, rate(study, id));
    }
    return fastest / slowest - 1;
  }

  /// Without a measured figure there is nothing to be far from, hence no value. Says if taken.
  bool take_if_farther(double value, Prediction& p) const {
    if (!measured_) return false;
    const double middle = (measured_->low + measured_->high) / 2;  // decides inside the range
    const auto distance = [this, middle](double v) {
      const double error = std::abs(signed_error_pct(v, *measured_).value_or(INFINITY));
      return std::pair(error, std::abs(v - middle));
    };
    if (p.value && distance(value) <= distance(*p.value)) return false;
    p.value = value;
    return true;
  }

  const std::optional<Measured>& measured_;
  Outcomes& outcomes_;
};

}  // namespace

Prediction predict(const PlanEntry& entry, const std::optional<Measured>& measured,
                   Outcomes& outcomes) {
  return std::visit(Predictor(measured, outcomes), entry.row);
}

std::vector<std::string> scenario_assumptions(const PlanEntry& entry, Outcomes& outcomes) {
  return std::visit(
      [&outcomes](const auto& row) -> std::vector<std::string> {
        if constexpr (requires { row.study; }) return outcomes.assumptions(row.study);
        return {};
      },
      entry.row);
}

}  // namespace heddle::cli::accuracy
