#pragma once
// Measured sweeps of a collective over message sizes, as published tables of nccl-tests give them.
// A record says on what they were measured in words; place_rules.h makes a machine of them.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

struct TimedSize {
  Bytes bytes;    // nccl-tests' size
  double us = 0;  // out of place
};

struct MeasuredSweep {
  std::string id;
  std::string source;
  std::string gpu;
  std::string topology;
  std::string inter_fabric;  // between machines; empty: not told
  std::string collective;    // "all_reduce", or as nccl-tests calls it: "alltoall"
  std::string nccl_version;  // empty: not told
  std::string quality;       // "measured_full", "measured_noisy", ...
  std::optional<int> gpus;   // of all machines
  std::optional<int> nodes;  // machines
  std::map<std::string, std::string> env;
  std::vector<TimedSize> points;
  bool citable = true;  // false: the original page is not known; keep out of published tables
};

/// In file order. nullopt and every problem found: no id or points, an id used twice, a point
/// without a size or a time.
std::optional<std::vector<MeasuredSweep>> read_sweeps(const io::Value& records, Diagnostics& out);

}  // namespace heddle::cli::accuracy
