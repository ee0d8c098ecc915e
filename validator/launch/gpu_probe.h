#pragma once
// What GPUs this machine has, asked of a process of its own: this one never loads CUDA.

#include <string>

namespace heddle::launch {

struct GpuProbe {
  int devices = 0;
  std::string nccl;     // version
  std::string missing;  // why no GPU can be used; "" if one can
};

/// `worker` is the path of heddle-worker-nccl.
GpuProbe probe_gpus(const std::string& worker);
/// What it printed, a line each.
GpuProbe read_probe(const std::string& text);

}  // namespace heddle::launch
