// heddle gpu-check: what this machine's GPUs are, whether the nccl backend does here what a
// schedule says, and how right the prediction of each strategy is; one folder with all of it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/cli/text_table.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "sim/io/json_writer.h"
#include "validator/cli/comparison.h"
#include "validator/cli/interrupts.h"
#include "validator/cli/validate_request.h"
#include "validator/cli/validation_text.h"
#include "validator/cli/verbs.h"
#include "validator/judge/host_facts.h"
#include "validator/judge/self_check.h"
#include "validator/launch/gpu_probe.h"

namespace heddle::validator_cli {
namespace {

namespace fs = std::filesystem;
using cli::ExitCode;

constexpr int kMostRanks = 8;
constexpr std::string_view kScenario = "/scenarios/mistral-7b-4xh200.json";  // below the home

struct GpuCheckRequest {
  std::string scenario;  // "": the one below
  std::string fabric = "nvswitch";
  std::vector<std::string> strategies{"ddp", "zero1", "zero2", "zero3", "fsdp"};
  std::string backend = "nccl";
  int ranks = 0;  // 0: as many as there are GPUs
  double scale = 0.25;
  int sequence = 0;  // 0: as the scenario has it
  int attempts = 3;
  std::string folder = "heddle-gpu-check";
};

/// A strategy's validation, in a line.
struct Line {
  std::string strategy;
  ExitCode code = ExitCode::kRunFailed;
  judge::Validation result;
};

class GpuCheck {
 public:
  GpuCheck(const GpuCheckRequest& request, const cli::Environment& env)
      : request_(request), env_(env) {}

  ExitCode run();

 private:
  bool look();
  bool check_conformance();
  void validate(const std::string& strategy);
  void write_page(const std::string& report);
  std::string summary_text() const;
  std::string summary_json() const;
  ExitCode verdict() const;
  std::string in_folder(const std::string& name) const { return request_.folder + "/" + name; }
  void say(const std::string& text) const { env_.err << "heddle: " << text << std::endl; }

  const GpuCheckRequest& request_;
  const cli::Environment& env_;
  launch::GpuProbe probe_;
  int ranks_ = 1;
  std::vector<judge::CheckResult> checks_;
  std::vector<Line> lines_;
};

/// False if there is nothing to check on.
bool GpuCheck::look() {
  const launch::BackendEntry& backend = backend_of(request_.backend);
  probe_ = launch::probe_gpus(worker_folder() + "/heddle-worker-nccl");
  const bool real = !backend.traits.cpu_memory;
  if (!real) probe_.missing.clear();
  if (real && !probe_.missing.empty()) {
    env_.out << "No GPU can be used here:\n  " << probe_.missing
             << "\nNothing was measured. On a machine with GPUs, CUDA's and NCCL's libraries are "
                "found in the\nloader's folders, LD_LIBRARY_PATH, CUDA_HOME or CUDA_PATH.\n";
    return false;
  }
  ranks_ = request_.ranks > 0 ? request_.ranks : std::clamp(probe_.devices, 1, kMostRanks);
  const std::string missing = launch::missing_for(backend, worker_folder(), ranks_);
  if (missing.empty()) return true;
  env_.out << fmt::format("{} ranks cannot run here: {}\n", ranks_, missing);
  return false;
}

bool GpuCheck::check_conformance() {
  const WorkFolder folder;
  launch::FleetPlan plan;
  plan.backend = &backend_of(request_.backend);
  plan.ranks = ranks_;
  plan.workers = worker_folder();
  plan.folder = folder.path();
  plan.interrupts = &Interrupts::count();
  say("conformance");
  checks_ = judge::self_check(plan);
  return std::all_of(checks_.begin(), checks_.end(),
                     [](const judge::CheckResult& check) { return check.passed; });
}

void GpuCheck::validate(const std::string& strategy) {
  ValidateRequest one;
  one.study.file =
      request_.scenario.empty() ? env_.home + std::string(kScenario) : request_.scenario;
  if (request_.sequence > 0) {
    one.study.overrides = {fmt::format("training.sequence_length={}", request_.sequence)};
  }
  one.selection.case_id = request_.fabric + "/" + strategy;
  one.backend = request_.backend;
  one.ranks = ranks_;
  one.scale = request_.scale;
  one.attempts = request_.attempts;
  one.output_file = in_folder(strategy + ".json");
  one.trace_file = in_folder(strategy + ".trace.json");
  std::ostringstream text;
  const cli::Environment quiet{env_.catalog, env_.home, text, env_.err, env_.err_is_terminal};
  say("validating " + strategy);
  Line line{strategy, ExitCode::kRunFailed, run_validation(one, quiet)};
  line.code = exit_code_of(line.result);
  io::write_file(in_folder(strategy + ".txt"), text.str());
  if (line.result.time) write_page(strategy);
  lines_.push_back(std::move(line));
}

void GpuCheck::write_page(const std::string& report) {
  const std::string file = in_folder(report + ".json");
  const std::string text = io::read_file(file);
  Diagnostics problems;
  auto sets = judge::read_quantities(text, file, problems);
  auto lanes = judge::read_lanes(text, file, problems);
  if (!sets || sets->size() != 2 || !lanes) return;
  const Comparison own{
      {file, (*sets)[0]}, {file, (*sets)[1]}, judge::pair_up((*sets)[0], (*sets)[1])};
  io::write_file(in_folder(report + ".html"), comparison_page({own}, {*lanes}));
}

std::string GpuCheck::summary_text() const {
  const judge::HostFacts host = judge::host_facts();
  std::string text = fmt::format(
      "{}, {}\n{} ranks on backend {}, {} GPUs, NCCL {}\n\nConformance\n", host.host, host.date,
      ranks_, request_.backend, probe_.devices, probe_.nccl.empty() ? "not found" : probe_.nccl);
  for (const judge::CheckResult& check : checks_) {
    text +=
        fmt::format("  {:<8} {}\n", check.name, check.passed ? "passed" : "FAILED: " + check.text);
  }
  cli::TextTable table({{"strategy", "", cli::Align::kLeft},
                        {"predicted", "step"},
                        {"measured", "step"},
                        {"error", "%"},
                        {"reserved", "error, %"},
                        {"verdict", "", cli::Align::kLeft}});
  for (const Line& line : lines_) {
    const auto& time = line.result.time;
    const auto percent = [](double share) { return fmt::format("{:+.1f}", 100 * share); };
    table.add_row({line.strategy, time ? quantity_text(time->predicted_step, "s") : "-",
                   time ? quantity_text(time->step.median, "s") : "-",
                   time ? percent(time->error()) : "-",
                   line.result.gpu ? percent(line.result.gpu->reserved_error()) : "-",
                   std::string(to_string(line.result.verdict))});
  }
  return text + "\nPrediction against measurement, scale " + fmt::format("{}", request_.scale) +
         "\n" + table.render(2);
}

std::string GpuCheck::summary_json() const {
  io::JsonWriter w;
  w.begin_object().field("schema", "heddle.gpu-check/1").field("backend", request_.backend);
  w.field("gpus", probe_.devices).field("nccl", probe_.nccl).field("ranks", ranks_);
  w.field("scale", request_.scale).field("date", judge::host_facts().date);
  w.key("conformance").begin_array();
  for (const judge::CheckResult& check : checks_) {
    w.begin_object().inline_from_here();
    w.field("check", check.name)
        .field("passed", check.passed)
        .field("text", check.text)
        .end_object();
  }
  w.end_array().key("validations").begin_array();
  for (const Line& line : lines_) {
    w.begin_object().inline_from_here();
    w.field("strategy", line.strategy).field("verdict", to_string(line.result.verdict));
    if (line.result.time) w.field("error", line.result.time->error());
    w.end_object();
  }
  w.end_array().end_object();
  return w.take();
}

/// What could not be measured outranks what disagrees; the first failure of its kind tells.
ExitCode GpuCheck::verdict() const {
  ExitCode code = ExitCode::kDone;
  for (const judge::CheckResult& check : checks_) {
    if (!check.passed) code = ExitCode::kRunFailed;
  }
  for (const Line& line : lines_) {
    if (line.code == ExitCode::kInterrupted) return line.code;
    if (code == ExitCode::kDone || code == ExitCode::kDisagrees) {
      if (line.code != ExitCode::kDone) code = line.code;
    }
  }
  return code;
}

ExitCode GpuCheck::run() {
  const Interrupts interrupts;
  if (!look()) return ExitCode::kUnsupported;
  std::error_code failed;
  fs::create_directories(request_.folder, failed);
  if (failed) {
    throw Error(ErrorKind::kCannotWrite,
                "cannot make " + request_.folder + ": " + failed.message());
  }
  // A backend that does not do what a schedule says has no times worth comparing.
  if (check_conformance()) {
    for (const std::string& strategy : request_.strategies) {
      if (Interrupts::count().load() == 0) validate(strategy);
    }
  }
  io::write_file(in_folder("summary.json"), summary_json());
  io::write_file(in_folder("summary.txt"), summary_text());
  env_.out << summary_text() << "\nReports: " << request_.folder << "\n";
  return verdict();
}

}  // namespace

void add_gpu_check(CLI::App& app, const cli::Environment& env, cli::Action& action) {
  auto request = std::make_shared<GpuCheckRequest>();
  CLI::App* verb = app.add_subcommand(
      "gpu-check", "conformance and validation on this machine's GPUs, all reports in one folder");
  verb->add_option("-o,--output", request->folder, "folder of the reports (heddle-gpu-check)")
      ->type_name("FOLDER");
  verb->add_option("--strategies", request->strategies, "which (ddp,zero1,zero2,zero3,fsdp)")
      ->delimiter(',')
      ->type_name("LIST");
  verb->add_option("--scenario", request->scenario,
                   "whose training (scenarios/mistral-7b-4xh200.json, 1024 tokens)")
      ->type_name("FILE");
  verb->add_option("--fabric", request->fabric, "which of its cases (nvswitch)")->type_name("ID");
  verb->add_option("--ranks", request->ranks, "how many (as many as there are GPUs, up to 8)")
      ->check(CLI::Range(1, 1024))
      ->type_name("COUNT");
  verb->add_option("--scale", request->scale,
                   "of the model's heads, layers, MLP, vocabulary (0.25)")
      ->check(CLI::Range(1e-4, 1.0))
      ->type_name("FACTOR");
  verb->add_option("--sequence", request->sequence, "length of a sequence; as the scenario has it")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("TOKENS");
  verb->add_option("--attempts", request->attempts, "at an unsteady measurement, at most (3)")
      ->check(CLI::Range(1, 100))
      ->type_name("COUNT");
  verb->add_option(
          "--backend", request->backend,
          "nccl, or nccl-one-gpu for several ranks on one GPU; nccl-host rehearses without")
      ->type_name("NAME");
  verb->footer("Example: heddle gpu-check -o my-node");
  verb->callback([&env, &action, request] {
    action = [&env, request] { return GpuCheck(*request, env).run(); };
  });
}

}  // namespace heddle::validator_cli
