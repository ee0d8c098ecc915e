#include "sim/cli/accuracy/json_statistics.h"
#include "sim/cli/accuracy/sweep_groups.h"
#include "sim/cli/accuracy/sweep_report.h"

namespace heddle::cli::accuracy {
namespace {

void write_factors(const std::vector<SiblingFactor>& factors, io::JsonWriter& json) {
  json.key("forced").begin_array();
  for (const SiblingFactor& f : factors) {
    json.begin_object()
        .field("id", f.id)
        .field("sibling", f.sibling)
        .field("measured", f.measured)
        .field("predicted", f.predicted)
        .field("error_pct", f.error_pct())
        .field("met", f.same_direction())
        .end_object();
  }
  json.end_array();
}

void write_points(const SweepScore& score, io::JsonWriter& json) {
  json.key("points").begin_array();
  for (const ScoredPoint& p : score.points) {
    json.begin_object()
        .inline_from_here()
        .field("bytes", p.bytes.value)
        .field("measured_us", p.measured_us)
        .field("predicted_us", p.predicted_us)
        .field("error_pct", p.error_pct)
        .end_object();
  }
  json.end_array();
}

void write_record(const SweepScore& score, io::JsonWriter& json) {
  json.begin_object()
      .field("id", score.measured.id)
      .field("source", score.measured.source)
      .field("citable", score.measured.citable)
      .field("standing", to_string(score.standing))
      .field("quality", score.measured.quality)
      .field("machine", score.machine)
      .field("gpu", score.gpu_kind)
      .field("collective", schedule::to_string(score.kind))
      .field("nodes", score.nodes);
  for (const SizeClass size : kSizeClasses) {
    const auto error = score.error(size);
    if (!error) continue;
    json.key(to_string(size)).begin_object().inline_from_here();
    json.field("median_abs_pct", error->median_abs_pct)
        .field("median_signed_pct", error->median_signed_pct)
        .end_object();
  }
  write_points(score, json);
  write_texts("assumptions", score.assumptions, json);
  json.end_object();
}

}  // namespace

std::string sweep_score_json(const SweepScores& scores) {
  io::JsonWriter json;
  json.begin_object().field("schema", "heddle.accuracy/1").field("kind", "collectives");
  write_groups(sweep_groups(scores), json);
  write_factors(scores.factors, json);
  write_unsupported(scores.unsupported, json);
  json.key("records").begin_array();
  for (const SweepScore& score : scores.records) write_record(score, json);
  return json.end_array().end_object().take();
}

}  // namespace heddle::cli::accuracy
