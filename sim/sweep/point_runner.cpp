#include "sim/sweep/point_runner.h"

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/stable_hash.h"
#include "sim/base/version.h"
#include "sim/io/json_document.h"
#include "sim/sweep/refusal_text.h"

namespace heddle::sweep {
namespace {

/// Whether the scenario or one of the values names prices: columns must be the same in all lines.
bool has_prices(const SweepRequest& request) {
  const auto is_cost = [](const std::string& path) {
    return path.starts_with("cost") || path.starts_with("/cost");
  };
  for (const auto& [path, value] : request.overrides) {
    if (is_cost(path)) return true;
  }
  for (const Axis& axis : request.grid.axes()) {
    if (is_cost(axis.path)) return true;
  }
  Diagnostics faults;
  const auto document = io::JsonDocument::parse(request.text, request.file, faults);
  return document && document->root().member("cost").has_value();
}

}  // namespace

std::string FileTexts::operator()(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(path);
  if (known != known_.end()) return known->second;
  return known_.emplace(path, read_(path)).first->second;
}

PointRunner::PointRunner(SweepRequest request, const run::HardwareCatalog& catalog,
                         const io::ReadText& read)
    : request_(std::move(request)),
      files_(read),
      read_([this](const std::string& path) { return files_(path); }),
      shelf_(catalog, read_),
      hardware_{catalog,
                [this](const run::FabricChoice& choice, const std::string& file, Diagnostics& out) {
                  return shelf_.open(choice, file, out);
                },
                catalog.content_hash()},
      cost_(has_prices(request_)),
      columns_(columns_of(request_.grid, cost_)) {}

std::optional<run::Scenario> PointRunner::read_point(const PathValues& values,
                                                     Diagnostics& problems) {
  PathValues overrides = request_.overrides;
  overrides.insert(overrides.end(), values.begin(), values.end());
  return io::read_scenario(request_.text, request_.file, overrides, read_, problems);
}

std::string PointRunner::identity() {
  StableHash hash;
  hash.add(kVersion).add(hardware_.hash).add(request_.text).add(request_.choices);
  for (const auto& [path, value] : request_.overrides) hash.add(path).add(value);
  for (const Axis& axis : request_.grid.axes()) {
    hash.add(axis.path).add(std::uint64_t{axis.values.size()});
    for (const std::string& value : axis.values) hash.add(value);
  }
  Diagnostics problems;  // the files named are in the first point's hash
  const auto first = read_point(request_.grid.at(0), problems);
  return hash.add(first ? first->content_hash : 0).hex();
}

Row PointRunner::run_case(const run::Study& study, const run::CaseId& id,
                          const RowPlace& place) const {
  try {
    return result_row(place, study.run(id, false), cost_);
  } catch (const Error& error) {  // as a step of more than 106 days
    return refusal_row(place, id.id, one_line(error.what()), cost_);
  }
}

/// What is wrong with one case must not take the others with it.
std::vector<Row> PointRunner::run_alone(const run::Scenario& scenario,
                                        const std::vector<run::CaseId>& cases,
                                        const RowPlace& place) {
  std::vector<Row> rows;
  for (const run::CaseId& id : cases) {
    Diagnostics problems;
    const auto study = run::Study::create(run::only_case(scenario, id), hardware_, problems);
    rows.push_back(study ? run_case(*study, study->cases().front(), place)
                         : refusal_row(place, id.id, refusal_text(problems), cost_));
  }
  return rows;
}

std::vector<Row> PointRunner::run(std::size_t point) {
  const PathValues values = request_.grid.at(point);
  Diagnostics problems;
  auto scenario = read_point(values, problems);
  if (!scenario) {
    return {refusal_row({point, values, ""}, "", refusal_text(problems), cost_)};
  }
  const std::string fingerprint = run::fingerprint_of(*scenario, hardware_.hash);
  const RowPlace place{point, values, fingerprint};
  const std::vector<run::CaseId> cases = request_.select(*scenario);
  const auto study = run::Study::create(*scenario, hardware_, problems);
  if (!study) return run_alone(*scenario, cases, place);
  std::vector<Row> rows;
  for (const run::CaseId& id : cases) rows.push_back(run_case(*study, id, place));
  return rows;
}

}  // namespace heddle::sweep
