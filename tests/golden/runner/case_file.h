#pragma once
// A golden case: a base scenario, a patch, and either predicted numbers or the errors that must
// come.
//
//   name = DDP keeps ten bytes a parameter        all of name, why, tags, base are required
//   why  = a user compares this with the rule of thumb
//   tags = memory, ddp
//   base = scenarios/mistral-7b-4xh200.json       from the repository's root
//   set training.micro_batch = 2                  as `heddle run --set`; any number of them
//   expect nvswitch/ddp memory.peak_allocated_bytes = 123 +- 0    # how to get 123 by hand
//   expect nvswitch/ddp step_time_s = 0.2 +- 3 %                  # ...
//   expect nvswitch/ddp fits = true                               # ...
// or
//   error = out-of-range at /training/micro_batch
//
// Metrics are keys of a run in the result JSON, joined by dots. Lines that begin with # are
// comments.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"

namespace heddle::golden {

struct Expectation {
  int line = 0;
  std::string case_id;
  std::string metric;
  std::string value;        // as written
  std::string tolerance;    // "0", "12", "3 %"; empty for texts and booleans
  std::string computation;  // by hand, never empty
};

struct ExpectedError {
  int line = 0;
  std::string code;
  std::string pointer;
};

struct CaseFile {
  std::string name;
  std::string why;
  std::string tags;
  std::string base;
  std::vector<std::pair<std::string, std::string>> overrides;
  std::vector<Expectation> expectations;
  std::vector<ExpectedError> errors;
};

/// nullopt and every fault: an unknown line, a missing header, an expectation without its hand
/// computation, nothing expected, or numbers together with errors.
std::optional<CaseFile> parse_case(std::string_view text, const std::string& file,
                                   Diagnostics& out);

}  // namespace heddle::golden
