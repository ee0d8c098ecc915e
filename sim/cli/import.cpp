// heddle import: what a text about a machine says.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "sim/base/nearest_name.h"
#include "sim/cli/import_report.h"
#include "sim/cli/input_file.h"
#include "sim/cli/options.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"
#include "sim/io/file.h"
#include "sim/io/import/detect.h"
#include "sim/io/import/import_json.h"

namespace heddle::cli {
namespace {

struct ImportOptions {
  std::string kind;
  std::string file;
  std::string gpu;
  std::string like;
  std::string fabric_file;
  Format format = Format::kTable;
};

std::string read_text(const std::string& file) {
  if (file != "-") return read_input(file);
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

/// The machine in full; what the text leaves open is refused.
std::string fabric_text(const ImportOptions& options, const std::string& text,
                        const std::string& name, const Environment& env) {
  Diagnostics problems;
  auto file =
      env.catalog.fabric_file({text, name, options.kind, options.gpu, options.like}, problems);
  if (!file) throw BadInput(std::move(problems));
  return std::move(*file);
}

void check_kind(const std::string& kind) {
  if (kind == io::kAnyKind || io::find_importer(kind) != nullptr) return;
  throw UsageError(fmt::format("unknown kind of import \"{}\"; {}", kind,
                               suggest_name(kind, io::importer_names())));
}

ExitCode import(const ImportOptions& options, const Environment& env) {
  check_kind(options.kind);
  const std::string name = options.file == "-" ? "standard input" : options.file;
  const std::string text = read_text(options.file);
  Diagnostics found;
  const io::ImporterSpec* importer = io::choose_importer(options.kind, text, name, found);
  if (importer == nullptr) throw BadInput(std::move(found));
  const auto imported = importer->read(text, name, found);
  if (!imported) throw BadInput(std::move(found));
  if (!options.fabric_file.empty()) {
    io::write_file(options.fabric_file, fabric_text(options, text, name, env));
  }
  env.out << (options.format == Format::kJson ? io::import_json(*imported, *importer, name, found)
                                              : import_text(*imported, *importer, name, found));
  return ExitCode::kDone;
}

}  // namespace

void add_import(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* verb = app.add_subcommand("import", "read what a tool prints about a machine");
  verb->add_option("KIND", options->kind,
                   fmt::format("auto, or one of {}", fmt::join(io::importer_names(), ", ")))
      ->required();
  verb->add_option("FILE", options->file, "the text; - for standard input")->required();
  add_import_options(*verb, options->gpu, options->like);
  verb->add_option("-o,--fabric", options->fabric_file,
                   "write the machine here as a fabric file, for \"import\" of a scenario")
      ->type_name("FILE");
  add_format_option(*verb, options->format, false);
  verb->footer("Example: nvidia-smi topo -m | heddle import auto -");
  verb->callback(
      [&env, &action, options] { action = [&env, options] { return import(*options, env); }; });
}

}  // namespace heddle::cli
