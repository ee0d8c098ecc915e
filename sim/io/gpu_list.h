#pragma once
// The GPUs of a job, in rank order.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// The machines a list is about.
struct GpuListScope {
  int nodes = 1;
  run::RankOrder order = run::RankOrder::kNode;
};

/// Empty: all GPUs of all machines. `names_nodes`: it lists "node:gpu", so that `order` means
/// nothing.
struct GpuList {
  std::vector<run::GpuPlace> gpus;
  bool names_nodes = false;
};

/// What is wrong with a list: code, message, hint.
using Complain = std::function<void(std::string, std::string, std::string)>;

/// "all", or words with commas between as CUDA_VISIBLE_DEVICES has them (no UUIDs): "0,1,4-7",
/// each on every machine, or "0:0,0:1,1:0-3". Refuses an empty list, a GPU twice, a machine that
/// is not there and a mixture of both kinds of word.
GpuList parse_gpu_list(std::string_view text, const GpuListScope& scope, const Complain& complain);

/// Such a string, or an array of numbers or of "node:gpu" strings. Empty after a diagnostic.
GpuList read_gpu_list(const Value& value, const GpuListScope& scope, Diagnostics& out);

}  // namespace heddle::io
