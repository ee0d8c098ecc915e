// heddle validate: plan, predict, run the very same schedule on real processors, compare.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/nearest_name.h"
#include "sim/base/units_text.h"
#include "sim/cli/case_selection.h"
#include "sim/cli/input_file.h"
#include "sim/cli/messages.h"
#include "sim/cli/options.h"
#include "sim/cli/study_loader.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "sim/schedule/schedule_check.h"
#include "validator/cli/interrupts.h"
#include "validator/cli/report_file.h"
#include "validator/cli/shrink.h"
#include "validator/cli/validate_request.h"
#include "validator/cli/validation_text.h"
#include "validator/cli/verbs.h"
#include "validator/judge/calibration_json.h"
#include "validator/judge/prediction_json.h"
#include "validator/judge/validation_trace.h"

namespace heddle::validator_cli {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 0.25;
constexpr double kGpuTolerance = 0.05;    // nobody else is on a GPU
constexpr double kTightTolerance = 0.40;  // more ranks than cores: they take turns

/// The case's schedule, planned for the ranks and the size asked for.
std::string plan_text(const ValidateRequest& request, const cli::Environment& env) {
  Diagnostics notes;
  run::Scenario scenario = cli::load_scenario(request.study, notes);
  const auto cases = cli::select_cases(scenario, run::expand_cases(scenario), request.selection);
  const run::CaseId id = cli::require_one(cases, "validate");
  if (request.ranks > 0) {
    const std::string problem = keep_ranks(scenario.fabrics[id.fabric], request.ranks);
    if (!problem.empty()) throw cli::UsageError(problem);
  }
  if (scenario.compute.fp8 != model::Float8::kNone) {
    throw cli::UsageError("no backend runs fp8 products yet: leave training.fp8 out to validate");
  }
  if (request.scale != 1) shrink_model(scenario, request.scale);
  auto study = run::Study::create(std::move(scenario), env.catalog, io::read_file, notes);
  if (!study) throw cli::BadInput(notes);
  cli::print_diagnostics(notes, Severity::kWarning, env.err);
  const run::CaseResult result = study->run(id, false);
  return io::write_schedule(*result.schedule,
                            {study->scenario().name, id.id, study->fingerprint()});
}

io::ScheduleFile read_plan(const std::string& text, const std::string& file) {
  Diagnostics problems;
  auto read = io::read_schedule(text, file, problems);
  if (read) {
    for (const std::string& problem : schedule::check_schedule(read->schedule)) {
      // What is never freed runs all the same: that is for the comparison to show.
      if (problem.find("is never freed") != std::string::npos) continue;
      problems.error("unsound-schedule", file, "", 0, problem, "export the schedule again");
    }
  }
  if (problems.has_errors()) throw cli::BadInput(problems);
  return std::move(*read);
}

judge::Calibration read_calibration(const ValidateRequest& request, int ranks) {
  const std::string& file = request.calibration_file;
  Diagnostics problems;
  auto read = judge::read_calibration(cli::read_input(file), file, problems);
  if (!read) throw cli::BadInput(problems);
  if (read->backend != request.backend || read->entry_for(ranks) == nullptr) {
    throw cli::UsageError(
        fmt::format("{} is of backend {} and has no {} ranks on {}: heddle "
                    "calibrate --backend {} --ranks {}",
                    file, read->backend, ranks, request.backend, request.backend, ranks));
  }
  return std::move(*read);
}

double tolerance_of(const ValidateRequest& request, int ranks) {
  if (request.tolerance > 0) return request.tolerance / 100;
  if (!backend_of(request.backend).traits.cpu_memory) return kGpuTolerance;
  return ranks > judge::host_facts().cores ? kTightTolerance : kTolerance;
}

judge::ValidationPlan make_plan(const ValidateRequest& request, const cli::Environment& env,
                                const std::string& folder) {
  judge::ValidationPlan plan;
  plan.planned_text = plan_text(request, env);
  plan.planned = read_plan(plan.planned_text, "the plan");
  const int ranks = plan.planned.schedule.rank_count();
  if (!request.schedule_file.empty()) {
    plan.executed_text = cli::read_input(request.schedule_file);
    plan.executed = read_plan(plan.executed_text, request.schedule_file);
    if (plan.executed->schedule.rank_count() != ranks) {
      throw cli::UsageError(fmt::format("{} has {} ranks, the plan {}; set --ranks",
                                        request.schedule_file, plan.executed->schedule.rank_count(),
                                        ranks));
    }
  }
  plan.scale = request.scale;
  plan.tolerance = tolerance_of(request, ranks);
  plan.attempts = request.attempts;
  if (!request.calibration_file.empty()) plan.calibration = read_calibration(request, ranks);
  plan.async_allocator = request.async_allocator;
  plan.fleet.backend = &backend_of(request.backend);
  plan.fleet.ranks = ranks;
  plan.fleet.workers = worker_folder();
  plan.fleet.folder = folder;
  plan.fleet.deadlines.least_ns = static_cast<std::int64_t>(request.deadline_s * 1e9);
  plan.fleet.interrupts = &Interrupts::count();
  return plan;
}

}  // namespace

judge::Validation run_validation(const ValidateRequest& request, const cli::Environment& env) {
  const Interrupts interrupts;
  const WorkFolder folder;
  const judge::ValidationPlan plan = make_plan(request, env, folder.path());
  ReportFile report(request.output_file);
  const judge::Validation result = judge::validate(
      plan, {[&](const std::string& stage) { env.err << "heddle: " << stage << std::endl; },
             [&](int attempt, double step) {
               report.note(fmt::format("{{\"attempt\": {}, \"step_s\": {}}}", attempt, step));
             },
             [&](const std::string& text) {
               if (request.output_file.empty()) return;
               io::write_file(request.output_file + ".prediction", text);
             }});
  const std::string json = judge::validation_json(plan, result);
  env.out << (request.format == cli::Format::kJson ? json : validation_text(plan, result));
  env.out.flush();
  report.write(json);
  if (!request.output_file.empty() && result.gpu && !result.gpu->topology.empty()) {
    io::write_file(request.output_file + ".topology.xml", result.gpu->topology);
  }
  if (!request.trace_file.empty() && result.time) {
    io::write_file(request.trace_file, judge::validation_trace(plan, result));
  }
  return result;
}

WorkFolder::WorkFolder() {
  std::string pattern = (fs::temp_directory_path() / "heddle-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::kCannotWrite,
                "cannot make a folder in " + fs::temp_directory_path().string());
  }
  path_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string worker_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path().string();
}

const launch::BackendEntry& backend_of(const std::string& name) {
  if (const auto* found = launch::find_backend(name)) return *found;
  std::vector<std::string> known;
  for (const launch::BackendEntry& entry : launch::backends()) known.emplace_back(entry.name);
  throw cli::UsageError(
      fmt::format("--backend: unknown \"{}\"; {}", name, suggest_name(name, known)));
}

void add_validate(CLI::App& app, const cli::Environment& env, cli::Action& action) {
  auto request = std::make_shared<ValidateRequest>();
  CLI::App* verb = app.add_subcommand(
      "validate", "run one case's schedule on real processors and compare it with its prediction");
  cli::add_study_options(*verb, request->study);
  cli::add_selection_options(*verb, request->selection);
  verb->add_option("--backend", request->backend,
                   "what runs it: nccl, nccl-one-gpu, mpi; nccl-host, reference for tests")
      ->required()
      ->type_name("NAME");
  verb->add_option("--ranks", request->ranks, "plan for this many ranks instead of the case's own")
      ->check(CLI::Range(1, 1024))
      ->type_name("COUNT");
  verb->add_option("--scale", request->scale,
                   "shrink the model: heads, layers, MLP and vocabulary times this")
      ->check(CLI::Range(1e-4, 1.0))
      ->type_name("FACTOR");
  verb->add_option("--schedule", request->schedule_file,
                   "run this schedule file; judged by what the scenario's own predicts")
      ->type_name("FILE");
  verb->add_option("--calibration", request->calibration_file,
                   "costs of heddle calibrate --backend in place of a probe in the same run")
      ->type_name("FILE");
  verb->add_option("--tolerance", request->tolerance,
                   "of the step's error, in % (on GPUs 5, else 25; 40 with more ranks than cores)")
      ->check(CLI::Range(0.1, 1000.0))
      ->type_name("PERCENT");
  verb->add_option("--deadline", request->deadline_s,
                   "seconds until a measurement counts as hung, at least (30)")
      ->check(CLI::Range(0.1, 86400.0))
      ->type_name("SECONDS");
  verb->add_flag("--async-allocator", request->async_allocator,
                 "on a GPU: cudaMallocAsync in place of PyTorch's allocator");
  verb->add_option("--attempts", request->attempts,
                   "how often an unsteady measurement is made at most (3)")
      ->check(CLI::Range(1, 100))
      ->type_name("COUNT");
  verb->add_option("-o,--output", request->output_file,
                   "write the report (heddle.validation/1) here")
      ->type_name("FILE");
  verb->add_option("--trace", request->trace_file,
                   "write predicted and measured lanes as a trace for Perfetto")
      ->type_name("FILE");
  cli::add_format_option(*verb, request->format, false);
  verb->footer(
      "Example: heddle validate scenarios/mistral-7b-4xh200.json --case nvswitch/ddp --backend mpi "
      "--ranks 2 --scale 0.03");
  verb->callback([&env, &action, request] {
    action = [&env, request] { return exit_code_of(run_validation(*request, env)); };
  });
}

}  // namespace heddle::validator_cli
