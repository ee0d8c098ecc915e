#pragma once
// Options that several verbs share, with one spelling and one help text each.

#include <string>
#include <vector>

#include "sim/cli/case_selection.h"
#include "sim/cli/environment.h"
#include "sim/cli/study_loader.h"

namespace CLI {
class App;
}

namespace heddle::cli {

enum class Format { kTable, kJson, kCsv };

/// --format; `csv` says whether the verb has that form at all.
void add_format_option(CLI::App& verb, Format& format, bool csv);
/// FILE and --set.
void add_study_options(CLI::App& verb, StudyRequest& request);
/// --only and --case.
void add_selection_options(CLI::App& verb, Selection& selection);
/// --gpu and --like, which say what a text about a machine does not.
void add_import_options(CLI::App& verb, std::string& gpu, std::string& like);
/// --output.
void add_output_option(CLI::App& verb, std::string& file);

/// To the file, or to standard output if none is named.
void emit(const std::string& text, const std::string& file, const Environment& env);

}  // namespace heddle::cli
