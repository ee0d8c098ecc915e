#pragma once
// "variation" of a run in "heddle.result/1". No number has more than three digits.

#include "sim/io/json_writer.h"
#include "sim/run/case_result.h"

namespace heddle::io {

/// Nothing if the result was not varied.
void write_variation(JsonWriter& w, const run::CaseResult& result);

}  // namespace heddle::io
