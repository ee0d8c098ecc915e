#include "sim/cli/variation_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "sim/cli/text_table.h"
#include "sim/io/three_digits.h"

namespace heddle::cli {
namespace {

using io::three_digits_text;

constexpr double kWorthNaming = 0.05;  // of the variance
constexpr std::size_t kMostNamed = 3;

/// "HBM bandwidth 45 %, model form 31 %"
std::string causes_text(const run::Variation& variation) {
  std::vector<std::string> parts;
  for (const run::VariationCause& cause : variation.causes) {
    if (parts.size() == kMostNamed || cause.share < kWorthNaming) break;
    parts.push_back(fmt::format("{} {:.0f} %", cause.name, cause.share * 100));
  }
  // A variance from n draws is itself known to sqrt(2 / n).
  const double sampling = std::sqrt(2.0 / static_cast<double>(variation.steps.size()));
  if (std::abs(variation.together) > 3 * sampling) {
    parts.push_back(fmt::format("together {:+.0f} %", variation.together * 100));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string percent(double share) {
  return three_digits_text(share * 100);
}

}  // namespace

std::string variation_table(const run::Study& study, std::span<const run::CaseResult> results) {
  if (results.empty() || !results.front().variation) return "";
  const bool images = study.scenario().model.family == model::Family::kVit;
  TextTable table({{"case", "", Align::kLeft},
                   {"step P10", "ms"},
                   {"P50", "ms"},
                   {"P90", "ms"},
                   {images ? "samples/s P50" : "tokens/s P50", "all GPUs"},
                   {"spread", "%"},
                   {"fastest", "%"},
                   {"from", "", Align::kLeft}});
  for (const run::CaseResult& r : results) {
    const run::Variation& v = *r.variation;
    const double rate = images ? r.samples_per_second : r.tokens_per_second;
    table.add_row({r.case_id, three_digits_text(v.step.p10 * 1e3),
                   three_digits_text(v.step.p50 * 1e3), three_digits_text(v.step.p90 * 1e3),
                   three_digits_text(rate * r.step_time.seconds() / v.step.p50), percent(v.spread),
                   percent(v.fastest), causes_text(v)});
  }
  return fmt::format(
             "How sure: {} draws, seed {}; fastest: share of the draws; from: shares of the "
             "variance\n",
             results.front().variation->steps.size(), study.scenario().seed) +
         table.render(2) + '\n';
}

}  // namespace heddle::cli
