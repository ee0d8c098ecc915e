#pragma once
// One run as a Chrome trace, which Perfetto (ui.perfetto.dev) opens: a process per simulated rank
// with a track per stream, counters for memory by category (GB) and, in a process of its own, for
// the load of every link used (GB/s). Times are microseconds with picosecond digits.

#include <string>

#include "sim/fabric/fabric.h"
#include "sim/run/case_result.h"
#include "sim/run/study.h"

namespace heddle::io {

/// `result` must come from a recording run on `fabric`, which names its links.
std::string write_trace(const fabric::Fabric& fabric, const run::CaseResult& result);

/// The same for a run of `study`, whose fabric is found by the case id.
std::string write_trace(const run::Study& study, const run::CaseResult& result);

}  // namespace heddle::io
