#include "gui/models/report_text.h"

#include <fmt/format.h>

#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

std::string seconds(double value) {
  return format_duration(duration_from_seconds(value));
}

}  // namespace

std::string verdict_word(const ValidationReport& report) {
  switch (report.verdict) {
    case ReportVerdict::kAgrees:
      return "agrees";
    case ReportVerdict::kDisagrees:
      return "disagrees";
    case ReportVerdict::kNotMeasured:
      break;
  }
  return "could not measure";
}

std::string summary_text(const ValidationReport& report) {
  if (!report.step) return "nothing was measured";
  const ReportRow& whole = report.step->whole;
  std::string text = fmt::format("step predicted {}, measured {}", seconds(whole.predicted),
                                 seconds(whole.measured));
  if (const auto error = whole.error()) {
    text += fmt::format(", error {:+.1f} %, tolerance {:.0f} %", 100 * *error,
                        100 * report.step->tolerance);
  }
  if (!report.complete) text += "; stopped before its end, what follows is partial";
  for (const std::string& reason : report.reasons) text += "; " + reason;
  return text;
}

std::string origin_text(const ValidationReport& report) {
  std::string text = fmt::format("{}, {}: {} ranks on backend {}, scale {:g}", report.scenario,
                                 report.case_id, report.ranks, report.backend, report.scale);
  if (!report.step) return text;
  return text + fmt::format("; median of {} steps, P10 {}, P90 {}", report.step->samples,
                            seconds(report.step->p10), seconds(report.step->p90));
}

std::string failure_text(const ValidationReport& report) {
  std::string text;
  for (const std::string& reason : report.reasons) text += reason + "\n";
  if (!report.complete) text += "The measurement was stopped before its end.\n";
  for (const std::string& line : report.flight) text += "    " + line + "\n";
  return text;
}

}  // namespace heddle::gui
