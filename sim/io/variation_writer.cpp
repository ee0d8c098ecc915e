#include "sim/io/variation_writer.h"

#include "sim/io/three_digits.h"

namespace heddle::io {
namespace {

void write_quantiles(JsonWriter& w, std::string_view key, const run::Quantiles& q) {
  w.key(key).begin_object().inline_from_here();
  w.field("p10", three_digits(q.p10)).field("p50", three_digits(q.p50));
  w.field("p90", three_digits(q.p90)).end_object();
}

/// Of a rate of `at_step`, which is inversely proportional to the step: its P10 is the step's P90.
run::Quantiles rates(double at_step, const run::CaseResult& result) {
  const double work = at_step * result.step_time.seconds();
  const run::Quantiles& step = result.variation->step;
  return {work / step.p90, work / step.p50, work / step.p10};
}

}  // namespace

void write_variation(JsonWriter& w, const run::CaseResult& result) {
  if (!result.variation) return;
  const run::Variation& v = *result.variation;
  w.key("variation").begin_object().field("draws", static_cast<std::int64_t>(v.steps.size()));
  write_quantiles(w, "step_time_s", v.step);
  write_quantiles(w, "tokens_per_s", rates(result.tokens_per_second, result));
  write_quantiles(w, "samples_per_s", rates(result.samples_per_second, result));
  w.field("spread", three_digits(v.spread)).field("fastest", three_digits(v.fastest));
  w.key("causes").begin_array();
  for (const run::VariationCause& cause : v.causes) {
    w.begin_object().inline_from_here();
    w.field("cause", cause.name).field("share", three_digits(cause.share));
    w.field("sigma", three_digits(cause.sigma)).field("origin", cause.origin).end_object();
  }
  w.end_array().field("together", three_digits(v.together)).end_object();
}

}  // namespace heddle::io
