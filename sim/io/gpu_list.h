#pragma once
// The GPUs of a job, in rank order.

#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// An array of numbers, or a string as CUDA_VISIBLE_DEVICES has it ("0,1,4,5"; no UUIDs). Empty
/// after a diagnostic; an empty list, a number twice and a negative one are refused.
std::vector<run::GpuPlace> read_gpu_list(const Value& value, Diagnostics& out);

}  // namespace heddle::io
