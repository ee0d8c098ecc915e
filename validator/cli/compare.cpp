// heddle compare: two results side by side, predicted or measured, of whatever scenarios.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/units_text.h"
#include "sim/cli/input_file.h"
#include "sim/cli/options.h"
#include "sim/cli/text_table.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/json_writer.h"
#include "validator/cli/verbs.h"
#include "validator/judge/quantities.h"

namespace heddle::validator_cli {
namespace {

using judge::QuantityPair;
using judge::QuantitySet;

struct CompareRequest {
  std::string a;
  std::string b;
  std::string output_file;
  cli::Format format = cli::Format::kTable;
};

struct Side {
  std::string file;
  QuantitySet set;
};

struct Comparison {
  Side a;
  Side b;
  std::vector<QuantityPair> pairs;
};

std::vector<QuantitySet> sets_of(const std::string& file, Diagnostics& problems) {
  auto sets = judge::read_quantities(cli::read_input(file), file, problems);
  return sets ? std::move(*sets) : std::vector<QuantitySet>();
}

/// Two files with as many sets pair those one by one (predicted with predicted, case with case),
/// one set meets each of many.
std::vector<Comparison> comparisons(const CompareRequest& request) {
  Diagnostics problems;
  const std::vector<QuantitySet> a = sets_of(request.a, problems);
  const std::vector<QuantitySet> b = sets_of(request.b, problems);
  if (problems.has_errors()) throw cli::BadInput(problems);
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

std::string number_text(double value, const std::string& unit) {
  if (unit == "s" && value >= 0) return format_duration(duration_from_seconds(value));
  if (unit == "B") return format_bytes(Bytes{static_cast<std::int64_t>(value)});
  return format_significant(value, 4) + (unit.empty() ? "" : " " + unit);
}

std::string difference_text(const QuantityPair& pair) {
  const double difference = pair.a - pair.b;
  return (difference < 0 ? "-" : "+") + number_text(std::abs(difference), pair.unit);
}

std::string table_of(const Comparison& c) {
  cli::TextTable table(
      {{"", "", cli::Align::kLeft}, {"A", ""}, {"B", ""}, {"A - B", ""}, {"A over B", "%"}});
  for (const QuantityPair& pair : c.pairs) {
    table.add_row({pair.name, number_text(pair.a, pair.unit), number_text(pair.b, pair.unit),
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

cli::ExitCode compare(const CompareRequest& request, const cli::Environment& env) {
  const std::vector<Comparison> all = comparisons(request);
  std::string text;
  if (request.format == cli::Format::kJson) {
    text = json_of(all);
  } else {
    for (const Comparison& c : all) text += (text.empty() ? "" : "\n") + table_of(c);
  }
  cli::emit(text, request.output_file, env);
  return cli::ExitCode::kDone;
}

}  // namespace

void add_compare(CLI::App& app, const cli::Environment& env, cli::Action& action) {
  auto request = std::make_shared<CompareRequest>();
  CLI::App* verb = app.add_subcommand("compare", "two results side by side");
  verb->add_option("A", request->a, "heddle.result/1 or heddle.validation/1")->required();
  verb->add_option("B", request->b, "the other one, of either kind")->required();
  cli::add_format_option(*verb, request->format, false);
  cli::add_output_option(*verb, request->output_file);
  verb->footer("Example: heddle compare monday.json tuesday.json");
  verb->callback(
      [&env, &action, request] { action = [&env, request] { return compare(*request, env); }; });
}

}  // namespace heddle::validator_cli
