// heddle calibrate --backend: what this machine's ranks cost, probed and kept for later
// validations.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/units_text.h"
#include "sim/cli/text_table.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "validator/cli/interrupts.h"
#include "validator/cli/validate_request.h"
#include "validator/cli/verbs.h"
#include "validator/judge/calibration.h"
#include "validator/judge/calibration_json.h"

namespace heddle::validator_cli {
namespace {

using cli::ExitCode;
using judge::Calibration;

struct CalibrateBackendRequest {
  std::string backend;
  std::vector<int> ranks{2};
  std::string output_file;
};

std::string value_text(const judge::Parameter& p) {
  if (p.unit == "s") return format_duration(duration_from_seconds(p.value));
  if (p.unit == "B/s") return format_bandwidth({static_cast<std::int64_t>(p.value)});
  return format_significant(p.value, 4) + " " + p.unit;
}

std::string calibration_text(const Calibration& calibration) {
  std::string text;
  for (const judge::CalibrationEntry& entry : calibration.entries) {
    cli::TextTable table({{"parameter", "", cli::Align::kLeft}, {"value", ""}, {"sigma", "%"}});
    for (const judge::Parameter& p : entry.costs.parameters()) {
      table.add_row({p.name, value_text(p), format_significant(100 * p.sigma, 2)});
    }
    text += fmt::format("{} ranks on backend {}\n{}", entry.ranks, calibration.backend,
                        table.render(2));
  }
  return text;
}

ExitCode exit_code_of(const launch::FleetFailure& failure) {
  if (failure.problem == launch::FleetProblem::kUnsupported) return ExitCode::kUnsupported;
  if (failure.problem == launch::FleetProblem::kInterrupted) return ExitCode::kInterrupted;
  return ExitCode::kRunFailed;
}

/// Files are written only when every number of ranks was measured.
ExitCode calibrate(const CalibrateBackendRequest& request, const cli::Environment& env) {
  const Interrupts interrupts;
  const WorkFolder folder;
  launch::FleetPlan plan;
  plan.backend = &backend_of(request.backend);
  plan.workers = worker_folder();
  plan.folder = folder.path();
  plan.interrupts = &Interrupts::count();
  const judge::CalibrationOutcome outcome = judge::calibrate(
      plan, request.ranks,
      [&](const std::string& stage) { env.err << "heddle: " << stage << std::endl; });
  if (outcome.failure) {
    env.err << "heddle: " << outcome.failure->text << std::endl;
    return exit_code_of(*outcome.failure);
  }
  const std::string sweeps = request.output_file + ".nccl-tests.txt";
  io::write_file(request.output_file, judge::calibration_json(outcome.calibration));
  io::write_file(sweeps, judge::nccl_tests_text(outcome.calibration));
  env.out << calibration_text(outcome.calibration)
          << fmt::format(
                 "\nWrote {}: heddle validate --calibration takes it in place of a probe\n"
                 "Wrote {}: heddle calibrate --from-nccl-tests makes an overlay of it\n",
                 request.output_file, sweeps);
  return ExitCode::kDone;
}

}  // namespace

void add_calibrate_backend(CLI::App& app, const cli::Environment& env, cli::Action& action) {
  auto request = std::make_shared<CalibrateBackendRequest>();
  CLI::App* verb = app.get_subcommand("calibrate");
  CLI::Option* output = verb->get_option("--output");
  verb->add_option("--backend", request->backend,
                   "instead: probe this machine by nccl or mpi; writes heddle.calibration/1")
      ->excludes(verb->get_option("--from-nccl-tests"))
      ->type_name("NAME");
  verb->add_option("--ranks", request->ranks, "with --backend: numbers of ranks, e.g. 2,4,8 (2)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024))
      ->type_name("LIST");
  // Before the verb's own callback, which leaves an action that is there alone.
  verb->parse_complete_callback([&env, &action, request, output] {
    if (request->backend.empty()) return;
    request->output_file = output->as<std::string>();
    action = [&env, request] { return calibrate(*request, env); };
  });
}

}  // namespace heddle::validator_cli
