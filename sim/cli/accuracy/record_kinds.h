#pragma once
// What kinds of record files there are, told apart by their content. A new kind is a line here.

#include <string>

#include "sim/cli/environment.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

struct RecordFile {
  std::string name;  // as the user named it
  std::string text;
  bool as_json = false;     // the report
  std::string record = {};  // of training records: the one whose story is told
  bool summary = false;     // of training records: without a line for each
};

/// The report. BadInput for a file of no known kind, with the list of kinds, and for a faulty one.
std::string judge(const RecordFile& file, const Environment& env);

}  // namespace heddle::cli::accuracy
