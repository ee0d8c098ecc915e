// heddle compare: two results side by side, predicted or measured, of whatever scenarios.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/units_text.h"
#include "sim/cli/input_file.h"
#include "sim/cli/named_option.h"
#include "sim/cli/options.h"
#include "sim/cli/text_table.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/json_writer.h"
#include "validator/cli/comparison.h"
#include "validator/cli/verbs.h"

namespace heddle::validator_cli {
namespace {

using judge::QuantityPair;
using judge::QuantitySet;

enum class Form { kTable, kJson, kHtml };

struct CompareRequest {
  std::string a;
  std::string b;
  std::string output_file;
  Form form = Form::kTable;
};

std::vector<QuantitySet> sets_of(const std::string& file, const std::string& text,
                                 Diagnostics& problems) {
  auto sets = judge::read_quantities(text, file, problems);
  return sets ? std::move(*sets) : std::vector<QuantitySet>();
}

/// The two sets of a validation, which alone is compared with itself.
std::vector<Comparison> own_comparison(const std::string& file, std::vector<QuantitySet> sets) {
  if (sets.size() != 2) {
    throw cli::UsageError(
        fmt::format("{} alone has nothing to be compared with: name a second file", file));
  }
  auto pairs = judge::pair_up(sets[0], sets[1]);
  return {{{file, std::move(sets[0])}, {file, std::move(sets[1])}, std::move(pairs)}};
}

/// Two files with as many sets pair those one by one (predicted with predicted, case with case),
/// one set meets each of many.
std::vector<Comparison> comparisons(const CompareRequest& request, const std::string& text_a,
                                    const std::string& text_b) {
  Diagnostics problems;
  std::vector<QuantitySet> a = sets_of(request.a, text_a, problems);
  std::vector<QuantitySet> b;
  if (!request.b.empty()) b = sets_of(request.b, text_b, problems);
  if (problems.has_errors()) throw cli::BadInput(problems);
  if (request.b.empty()) return own_comparison(request.a, std::move(a));
  const std::size_t count = std::max(a.size(), b.size());
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
    throw cli::UsageError(
        fmt::format("{} holds {} sets of numbers, {} holds {}: choose one with "
                    "heddle run --case",
                    request.a, a.size(), request.b, b.size()));
  }
  std::vector<Comparison> all;
  for (std::size_t i = 0; i < count; ++i) {
    const QuantitySet& mine = a[a.size() == 1 ? 0 : i];
    const QuantitySet& other = b[b.size() == 1 ? 0 : i];
    all.push_back({{request.a, mine}, {request.b, other}, judge::pair_up(mine, other)});
  }
  return all;
}

std::string table_of(const Comparison& c) {
  cli::TextTable table(
      {{"", "", cli::Align::kLeft}, {"A", ""}, {"B", ""}, {"A - B", ""}, {"A over B", "%"}});
  for (const QuantityPair& pair : c.pairs) {
    table.add_row({pair.name, quantity_text(pair.a, pair.unit), quantity_text(pair.b, pair.unit),
                   difference_text(pair), fmt::format("{:+.1f}", 100 * pair.error())});
  }
  return fmt::format("A: {}, {}\nB: {}, {}\n{}", c.a.file, c.a.set.title, c.b.file, c.b.set.title,
                     table.render(2));
}

std::string json_of(const std::vector<Comparison>& all) {
  io::JsonWriter w;
  w.begin_object().field("schema", "heddle.comparison/1").key("comparisons").begin_array();
  for (const Comparison& c : all) {
    w.begin_object();
    w.field("a_file", c.a.file).field("a", c.a.set.title);
    w.field("b_file", c.b.file).field("b", c.b.set.title).key("quantities").begin_array();
    for (const QuantityPair& pair : c.pairs) {
      w.begin_object().inline_from_here();
      w.field("name", pair.name)
          .field("unit", pair.unit)
          .field("a", pair.a)
          .field("b", pair.b)
          .field("difference", pair.a - pair.b)
          .field("error", pair.error())
          .end_object();
    }
    w.end_array().end_object();
  }
  w.end_array().end_object();
  return w.take();
}

std::string page_of(const CompareRequest& request, const std::vector<Comparison>& all,
                    const std::string& text_a, const std::string& text_b) {
  Diagnostics problems;
  std::vector<judge::ReportLanes> lanes;
  if (auto read = judge::read_lanes(text_a, request.a, problems)) lanes.push_back(std::move(*read));
  if (!request.b.empty() && request.b != request.a) {
    auto read = judge::read_lanes(text_b, request.b, problems);
    if (read) lanes.push_back(std::move(*read));
  }
  if (problems.has_errors()) throw cli::BadInput(problems);
  return comparison_page(all, lanes);
}

cli::ExitCode compare(const CompareRequest& request, const cli::Environment& env) {
  const std::string text_a = cli::read_input(request.a);
  const std::string text_b = request.b.empty() ? "" : cli::read_input(request.b);
  const std::vector<Comparison> all = comparisons(request, text_a, text_b);
  std::string text;
  if (request.form == Form::kJson) {
    text = json_of(all);
  } else if (request.form == Form::kHtml) {
    text = page_of(request, all, text_a, text_b);
  } else {
    for (const Comparison& c : all) text += (text.empty() ? "" : "\n") + table_of(c);
  }
  cli::emit(text, request.output_file, env);
  return cli::ExitCode::kDone;
}

}  // namespace

std::string quantity_text(double value, const std::string& unit) {
  if (unit == "s" && value >= 0) return format_duration(duration_from_seconds(value));
  if (unit == "B") return format_bytes(Bytes{static_cast<std::int64_t>(value)});
  return format_significant(value, 4) + (unit.empty() ? "" : " " + unit);
}

std::string difference_text(const QuantityPair& pair) {
  const double difference = pair.a - pair.b;
  return (difference < 0 ? "-" : "+") + quantity_text(std::abs(difference), pair.unit);
}

void add_compare(CLI::App& app, const cli::Environment& env, cli::Action& action) {
  auto request = std::make_shared<CompareRequest>();
  CLI::App* verb = app.add_subcommand("compare", "two results side by side");
  verb->add_option("A", request->a, "heddle.result/1 or heddle.validation/1")->required();
  verb->add_option(
      "B", request->b,
      "the other one, of either kind; without it a validation's prediction is compared "
      "with what it measured");
  const std::map<std::string, Form> forms{
      {"table", Form::kTable}, {"json", Form::kJson}, {"html", Form::kHtml}};
  cli::add_named_option(
      *verb, "--format", forms,
      "table, json, or html: a page that draws predicted lanes above measured ones",
      [request](Form form) { request->form = form; });
  cli::add_output_option(*verb, request->output_file);
  verb->footer(
      "Examples: heddle compare monday.json tuesday.json\n"
      "          heddle compare report.json --format html --output report.html");
  verb->callback(
      [&env, &action, request] { action = [&env, request] { return compare(*request, env); }; });
}

}  // namespace heddle::validator_cli
