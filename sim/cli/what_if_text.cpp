#include "sim/cli/what_if_text.h"

#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

std::string slow_text(const run::CaseResult& result) {
  std::string text;
  for (const run::SlowRank& slow : result.slow) {
    text += fmt::format("Rank {} ({}) runs at {} % speed: the other ranks wait for the slowest\n",
                        slow.rank, slow.gpu, percent_text(slow.speed));
  }
  return text;
}

}  // namespace

std::string what_if_lines(const run::FabricChoice& choice) {
  std::string text;
  for (const fabric::Change& change : choice.changes) {
    text += fmt::format("  what-if: {}\n", to_text(change));
  }
  for (const run::BackgroundChoice& flow : choice.background) {
    text += fmt::format("  beside: {}\n", to_text(flow));
  }
  return text;
}

std::string explain_others(const run::CaseResult& result) {
  std::string text = slow_text(result);
  if (result.background.empty()) return text;
  const bool limited = !result.limiting_link.empty();
  TextTable table({{"traffic of others", "", Align::kLeft},
                   {"moved", "GB"},
                   {"mean", "GB/s"},
                   {"transfers", "finished"},
                   {"behind", "ms"},
                   {"of limit", "%"}});
  for (const run::BackgroundLine& line : result.background) {
    table.add_row({line.name, gb_text(line.moved), format_significant(line.mean.gb_per_second(), 3),
                   fmt::format("{}", line.transfers), ms_text(line.behind),
                   limited ? percent_text(line.of_limit) : "-"});
  }
  const std::string limit =
      limited ? "the limit is " + result.limiting_link : "no link is the limit";
  return text + fmt::format("Who else uses the links, means of the whole run; {}\n{}", limit,
                            table.render(2));
}

}  // namespace heddle::cli
