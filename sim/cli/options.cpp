#include "sim/cli/options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "sim/cli/named_option.h"
#include "sim/io/file.h"

namespace heddle::cli {

void add_format_option(CLI::App& verb, Format& format, bool csv) {
  std::map<std::string, Format> names{{"table", Format::kTable}, {"json", Format::kJson}};
  if (csv) names.emplace("csv", Format::kCsv);
  const std::string text = csv ? "table, json or csv" : "table or json";
  add_named_option(verb, "--format", names, text, [&format](Format named) { format = named; });
}

void add_study_options(CLI::App& verb, StudyRequest& request) {
  verb.add_option("FILE", request.file, "scenario file (heddle.scenario/1)")->required();
  verb.add_option("--set", request.overrides,
                  "change a value before running, e.g. training.micro_batch=2; may repeat")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
}

void add_selection_options(CLI::App& verb, Selection& selection) {
  verb.add_option("--only", selection.only, "select runs, e.g. fabric=nvswitch,strategy=ddp")
      ->type_name("KEY=ID,...");
  verb.add_option("--case", selection.case_id, "select one run, FABRIC/STRATEGY")->type_name("ID");
}

void add_import_options(CLI::App& verb, std::string& gpu, std::string& like) {
  verb.add_option("--gpu", gpu, "for a text about a machine: which GPU it has (heddle list gpus)")
      ->type_name("MODEL");
  verb.add_option(
          "--like", like,
          "for a text about a machine: the node preset whose CPU and efficiencies it shares")
      ->type_name("NODE");
}

void add_output_option(CLI::App& verb, std::string& file) {
  verb.add_option("-o,--output", file, "write the answer here instead of standard output")
      ->type_name("FILE");
}

void emit(const std::string& text, const std::string& file, const Environment& env) {
  if (file.empty()) {
    env.out << text;
  } else {
    io::write_file(file, text);
  }
}

}  // namespace heddle::cli
