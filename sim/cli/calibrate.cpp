// heddle calibrate: what nccl-tests measured, as an overlay for the machine it was measured on.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "sim/base/date_text.h"
#include "sim/base/error.h"
#include "sim/cli/calibrate_report.h"
#include "sim/cli/calibrate_sweeps.h"
#include "sim/cli/input_file.h"
#include "sim/cli/machine_opener.h"
#include "sim/cli/messages.h"
#include "sim/cli/named_option.h"
#include "sim/cli/options.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"
#include "sim/fit/calibration.h"
#include "sim/io/file.h"
#include "sim/run/calibrated_values.h"
#include "sim/run/folding.h"
#include "sim/run/gpu_places.h"

namespace heddle::cli {
namespace {

struct CalibrateOptions {
  std::vector<std::string> files;
  run::FabricChoice place;
  std::vector<int> gpus;  // numbers in their machine; ranks fill one machine after the other
  std::string date;
  std::string output_file;
};

int largest_group(const SweepCollection& collection) {
  int ranks = 0;
  for (const UsableSweep& sweep : collection.sweeps) ranks = std::max(ranks, sweep.ranks);
  return ranks;
}

/// --gpus of every machine, or the first ones where it is not given.
std::vector<run::GpuPlace> places(const CalibrateOptions& options, int ranks) {
  const int nodes = options.place.nodes;
  std::vector<int> gpus = options.gpus;
  if (gpus.empty()) {
    for (int gpu = 0; gpu < (ranks + nodes - 1) / nodes; ++gpu) gpus.push_back(gpu);
  }
  const auto available = static_cast<int>(gpus.size()) * nodes;
  if (available < ranks) {
    throw UsageError(
        fmt::format("a sweep has {} ranks, but --gpus and --nodes name {} GPUs", ranks, available));
  }
  return run::spread_gpus(gpus, nodes, run::RankOrder::kNode);
}

run::Machine open_machine(const CalibrateOptions& options, int ranks, const Environment& env) {
  run::FabricChoice place = options.place;
  place.gpus = places(options, ranks);
  return resolve_machine(place, "command line", read_input, env);
}

/// The model's times on one machine, whatever its parameters.
class Predictor {
 public:
  Predictor(const run::Machine& machine, const collective::CommSettings& settings,
            const SweepCollection& collection)
      : machine_(machine), settings_(settings), collection_(collection) {}

  std::vector<double> operator()(const fabric::CommParameters& comm) const {
    const fabric::Fabric fabric = fabric::Fabric(machine_.fabric).with_comm(comm);
    std::map<int, collective::CollectiveModel> models;  // by ranks
    std::vector<double> seconds;
    for (const UsableSweep& sweep : collection_.sweeps) {
      auto found = models.find(sweep.ranks);
      if (found == models.end()) {
        found = models.emplace(sweep.ranks, model(fabric, sweep.ranks)).first;
      }
      for (const io::NcclTestsRow& row : sweep.rows) {
        const auto cost = found->second.cost({sweep.kind, Bytes{row.bytes}});
        seconds.push_back(cost.total.seconds());
      }
    }
    return seconds;
  }

 private:
  collective::CollectiveModel model(const fabric::Fabric& fabric, int ranks) const {
    std::vector<fabric::DeviceId> members(machine_.members.begin(),
                                          machine_.members.begin() + ranks);
    Diagnostics problems;
    auto model = collective::CollectiveModel::create(fabric, std::move(members), settings_,
                                                     machine_.tuning, problems);
    if (!model) throw BadInput(std::move(problems));
    return std::move(*model);
  }

  const run::Machine& machine_;
  collective::CommSettings settings_;
  const SweepCollection& collection_;
};

fit::Calibration fit_machine(const CalibrateOptions& options, const run::Machine& machine,
                             const SweepCollection& collection) {
  const Predictor predict(machine, options.place.comm, collection);
  std::vector<fit::MeasuredRow> rows;
  for (std::size_t s = 0; s < collection.sweeps.size(); ++s) {
    for (const io::NcclTestsRow& row : collection.sweeps[s].rows) {
      rows.push_back({static_cast<int>(s), Bytes{row.bytes}, *row.out_of_place.time_us * 1e-6});
    }
  }
  return fit::calibrate(rows, machine.fabric.comm(), predict);
}

/// "H200" of the machine's "H200-SXM-141GB" must be in the "NVIDIA H200" of a sweep.
void doubt_other_gpus(const run::Machine& machine, const SweepCollection& collection,
                      Diagnostics& doubts) {
  const std::string& model = machine.fabric.gpu_model();
  const std::string family = model.substr(0, model.find('-'));
  for (const UsableSweep& sweep : collection.sweeps) {
    if (sweep.device.empty() || sweep.device.find(family) != std::string::npos) continue;
    doubts.add(
        {Severity::kWarning, "other-gpu", sweep.file, "", sweep.line,
         fmt::format("measured on {}, but {} has {}", sweep.device, machine.fabric.name(), model),
         "name the machine it was measured on: --node, see heddle list nodes"});
  }
}

std::string stem_of(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string_view end : {".json", ".overlay"}) {
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  }
  return name;
}

run::CalibratedValues values_of(const CalibrateOptions& options, const run::Machine& machine,
                                const SweepCollection& collection,
                                const fit::Calibration& calibration) {
  run::CalibratedValues values;
  values.name = stem_of(options.output_file);
  values.summary = fmt::format("{} as nccl-tests measured it", machine.fabric.name());
  values.source = "nccl-tests: " + measured_with(collection);
  values.date = options.date;
  for (const fit::FittedParameter& fitted : calibration.parameters) {
    if (!fitted.determined) continue;
    values.values.push_back({std::string(fitted.parameter->name), fitted.fitted, fitted.sigma});
  }
  return values;
}

ExitCode calibrate(const CalibrateOptions& options, const Environment& env) {
  const auto listed = static_cast<int>(options.gpus.size()) * options.place.nodes;
  Diagnostics doubts;
  const SweepCollection collection =
      read_sweeps(options.files, listed > 0 ? std::optional(listed) : std::nullopt, doubts);
  if (collection.sweeps.empty()) {
    throw Error(ErrorKind::kRunFailed,
                fmt::format("no sweep can be used:\n  {}", fmt::join(collection.skipped, "\n  ")));
  }
  const run::Machine machine = open_machine(options, largest_group(collection), env);
  doubt_other_gpus(machine, collection, doubts);
  print_diagnostics(doubts, Severity::kWarning, env.err);
  const fit::Calibration calibration = fit_machine(options, machine, collection);
  env.out << calibration_text({collection, calibration, machine.fabric.name()});
  const run::CalibratedValues values = values_of(options, machine, collection, calibration);
  if (values.values.empty()) {
    throw Error(ErrorKind::kRunFailed, "these sweeps determine no parameter; nothing is written");
  }
  io::write_file(options.output_file, env.catalog.overlay_text(values));
  env.out << fmt::format("\nWrote {}: name it as \"overlay\" of a scenario's fabric\n",
                         options.output_file);
  return ExitCode::kDone;
}

void check_date(const std::string& date) {
  if (!is_full_date(date)) throw UsageError("--date: write it as 2026-11-29");
}

void add_place_options(CLI::App& verb, CalibrateOptions& options) {
  auto* node = verb.add_option("--node", options.place.node, "node preset (heddle list nodes)")
                   ->type_name("PRESET");
  verb.add_option("--import", options.place.import_file,
                  "instead: a text about the machine (see heddle import)")
      ->excludes(node)
      ->type_name("FILE");
  add_import_options(verb, options.place.import_gpu, options.place.like_node);
  verb.add_option("--gpus", options.gpus, "GPU numbers, rank 0 first; default the first ones")
      ->delimiter(',')
      ->type_name("LIST");
  verb.add_option("--nodes", options.place.nodes, "machines; default 1")
      ->check(CLI::Range(1, run::kMostWholeNodes))
      ->type_name("N");
  verb.add_option("--network", options.place.network, "network preset between them")
      ->type_name("NET");
  verb.add_option("--nccl", options.place.nccl_version,
                  "NCCL whose constants choose, e.g. 2.18; default the newest known")
      ->type_name("VERSION");
  add_named_option(verb, "--p2p", words_of(io::switches()), "off: measured with NCCL_P2P_DISABLE=1",
                   [&options](bool on) { options.place.comm.p2p = on; });
}

}  // namespace

void add_calibrate(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* verb =
      app.add_subcommand("calibrate", "fit what collectives achieve to nccl-tests' output");
  verb->add_option("--from-nccl-tests", options->files, "what all_reduce_perf and others printed")
      ->type_name("FILE...");
  add_place_options(*verb, *options);
  verb->add_option("--date", options->date, "when it was measured, e.g. 2026-11-29")
      ->type_name("DATE");
  verb->add_option("-o,--output", options->output_file, "overlay file to write")
      ->required()
      ->type_name("FILE");
  verb->footer(
      "Example: heddle calibrate --from-nccl-tests sweep.txt --node 8xH200-SXM --date 2026-11-29 "
      "-o my-node.overlay.json");
  verb->callback([&env, &action, options] {
    if (action) return;  // the validator's own probe was asked for
    action = [&env, options] {
      if (options->files.empty()) throw UsageError("--from-nccl-tests is required");
      if (options->date.empty()) throw UsageError("--date is required");
      if (options->place.node.empty() && options->place.import_file.empty()) {
        throw UsageError("name the machine: --node PRESET or --import FILE");
      }
      options->place.import_name = options->place.import_file;
      check_date(options->date);
      return calibrate(*options, env);
    };
  });
}

}  // namespace heddle::cli
