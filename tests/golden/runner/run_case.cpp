#include "tests/golden/runner/run_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hw_models/catalog.h"
#include "sim/io/file.h"
#include "sim/io/json_document.h"
#include "sim/io/result_writer.h"
#include "sim/io/scenario_reader.h"
#include "sim/run/study.h"
#include "tests/golden/runner/compare.h"

namespace heddle::golden {
namespace {

std::optional<run::Study> load(const CaseFile& golden, const std::string& root, Diagnostics& out) {
  const std::string file = root + "/" + golden.base;
  auto scenario =
      io::read_scenario(io::read_file(file), file, golden.overrides, io::read_file, out);
  if (!scenario) return std::nullopt;
  const auto catalog = hw_models::open_catalog(root + "/hw_models");
  return run::Study::create(std::move(*scenario), *catalog, io::read_file, out);
}

/// The result as the JSON that users get: metrics are named by its keys. Runs what is asked for
/// only.
std::string result_json(const CaseFile& golden, const run::Study& study) {
  std::vector<run::CaseResult> results;
  for (const run::CaseId& id : study.cases()) {
    const bool wanted =
        std::any_of(golden.expectations.begin(), golden.expectations.end(),
                    [&](const Expectation& expected) { return expected.case_id == id.id; });
    if (wanted) results.push_back(study.run(id, true));
  }
  return io::write_result_json(study.scenario(), study.fingerprint(), results);
}

std::vector<std::string> check_numbers(const CaseFile& golden, const run::Study& study) {
  Diagnostics problems;
  const auto document = io::JsonDocument::parse(result_json(golden, study), "result", problems);
  if (!document) return {"the result is not JSON: " + format(problems.all().front())};
  std::vector<std::string> failures;
  for (const Expectation& expected : golden.expectations) {
    const std::string failure = compare(expected, document->root());
    if (failure.empty()) continue;
    failures.push_back(fmt::format("line {}: {} {}: {}", expected.line, expected.case_id,
                                   expected.metric, failure));
  }
  return failures;
}

bool matches(const ExpectedError& expected, const Diagnostic& got) {
  return got.severity == Severity::kError && got.code == expected.code &&
         got.pointer == expected.pointer;
}

/// The errors are exactly the expected ones: one too many confuses a user as much as one missing.
std::vector<std::string> check_errors(const CaseFile& golden, const Diagnostics& got) {
  std::vector<std::string> failures;
  for (const ExpectedError& expected : golden.errors) {
    const bool found = std::any_of(got.all().begin(), got.all().end(),
                                   [&](const Diagnostic& d) { return matches(expected, d); });
    if (found) continue;
    failures.push_back(
        fmt::format("line {}: no error {} at {}", expected.line, expected.code, expected.pointer));
  }
  for (const Diagnostic& diagnostic : got.all()) {
    const bool known = std::any_of(golden.errors.begin(), golden.errors.end(),
                                   [&](const ExpectedError& e) { return matches(e, diagnostic); });
    if (diagnostic.severity == Severity::kError && !known) {
      failures.push_back("unexpected: " + format(diagnostic));
    }
  }
  return failures;
}

}  // namespace

std::vector<std::string> run_case(const CaseFile& golden, const std::string& root) {
  Diagnostics problems;
  const auto study = load(golden, root, problems);
  if (!study && !problems.has_errors()) return {"refused without a reason"};
  if (!study || !golden.errors.empty()) return check_errors(golden, problems);
  return check_numbers(golden, *study);
}

}  // namespace heddle::golden
