#pragma once
// How a placement is written down, and how it is used.

#include <string>

#include "sim/cli/place_search.h"

namespace heddle::cli {

/// "1:3": GPU 3 of machine 1.
std::string node_gpu_text(const run::GpuPlace& gpu);

/// "0,1,2,3"; on a cluster "n0:0-7 n1:0-7", or "n0-n7:0-7" where machines are used alike.
std::string place_text(const Place& place);

/// The line to put before the launch command: CUDA_VISIBLE_DEVICES=..., and the machines on a
/// cluster.
std::string use_text(const Place& place);

}  // namespace heddle::cli
