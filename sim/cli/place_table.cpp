#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/cli/place_report.h"
#include "sim/cli/place_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

std::string ratio_text(double ratio) {
  return fmt::format("{:.2f}x", ratio);
}

bool fabrics_differ(const PlaceAnswer& answer, const std::vector<const RankedPlace*>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const RankedPlace* row) {
    return answer.places[row->place].fabric != answer.places.front().fabric;
  });
}

/// Rows of one strategy, best first, and the line about its best and worst.
std::string strategy_text(const PlaceAnswer& answer, const std::string& strategy) {
  const std::vector<const RankedPlace*> rows = places_of(answer, strategy);
  TextTable table(place_columns(answer, rows));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    table.add_row(place_cells(answer, rows, row));
  }
  const double best = rows.front()->step_time.seconds();
  const Place& first = answer.places[rows.front()->place];
  const Place& last = answer.places[rows.back()->place];
  // GPU numbers say little where machines are compared.
  const auto machine = [&](const Place& place) {
    return fabrics_differ(answer, rows) ? place.fabric + ", " : std::string();
  };
  std::string text = fmt::format("{}\n{}  use:   {}{}\n", strategy, table.render(2), machine(first),
                                 use_text(first));
  if (rows.size() == 1) return text + "  every placement of so many GPUs is alike here\n\n";
  text += fmt::format("  worst: {}{} takes {} as long", machine(last), place_text(last),
                      ratio_text(rows.back()->step_time.seconds() / best));
  if (last.busbw_gb > 0) {
    text += fmt::format(", at {} of the best's bus bandwidth",
                        percent_text(last.busbw_gb / first.busbw_gb) + " %");
  }
  return text + "\n\n";
}

}  // namespace

std::vector<std::string> place_strategies(const PlaceAnswer& answer) {
  std::vector<std::string> ids;  // best first
  for (const RankedPlace& ranked : answer.ranked) {
    if (std::find(ids.begin(), ids.end(), ranked.strategy) == ids.end()) {
      ids.push_back(ranked.strategy);
    }
  }
  return ids;
}

std::vector<const RankedPlace*> places_of(const PlaceAnswer& answer, const std::string& strategy) {
  std::vector<const RankedPlace*> rows;
  for (const RankedPlace& ranked : answer.ranked) {
    if (ranked.strategy == strategy) rows.push_back(&ranked);
  }
  return rows;
}

std::vector<Column> place_columns(const PlaceAnswer& answer,
                                  const std::vector<const RankedPlace*>& rows) {
  std::vector<Column> columns{
      {"GPUs", "", Align::kLeft}, {"step", "ms"}, {"of best", ""},
      {"all-reduce bus", "GB/s"}, {"fits", ""},   {"bound by", "", Align::kLeft}};
  if (fabrics_differ(answer, rows)) columns.insert(columns.begin(), {"fabric", "", Align::kLeft});
  return columns;
}

std::vector<std::string> place_cells(const PlaceAnswer& answer,
                                     const std::vector<const RankedPlace*>& rows, std::size_t row) {
  const RankedPlace& ranked = *rows[row];
  const Place& place = answer.places[ranked.place];
  const double best = rows.front()->step_time.seconds();
  std::vector<std::string> cells{place_text(place),
                                 ms_text(ranked.step_time),
                                 ratio_text(ranked.step_time.seconds() / best),
                                 magnitude_text(place.busbw_gb),
                                 ranked.fits ? "yes" : "NO",
                                 ranked.bound_by};
  if (fabrics_differ(answer, rows)) cells.insert(cells.begin(), place.fabric);
  return cells;
}

std::string place_table(const PlaceAnswer& answer) {
  std::string text = answer.heading;
  text += fmt::format(
      "{} GPUs{}: {} placements that the wiring tells apart, by step time\n\n", answer.count,
      answer.busy.empty() ? "" : fmt::format(", not {}", fmt::join(answer.busy, ",")),
      answer.places.size());
  for (const std::string& strategy : place_strategies(answer))
    text += strategy_text(answer, strategy);
  if (!answer.complete) {
    text +=
        "The cluster is too large to look at every set of GPUs: only even placements are ranked,\n"
        "the same GPUs on each machine, machines as near and as far apart as its switches "
        "allow.\n\n";
  }
  return text + answer.basis;
}

}  // namespace heddle::cli
