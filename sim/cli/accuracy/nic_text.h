#pragma once
// NICs of a machine from words like "8x NDR 400 Gbps per node (400 Gbps/GPU)".

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/accuracy/place_rules.h"

namespace heddle::cli::accuracy {

struct NicsRead {
  int per_machine = 0;
  double gbps = 0;  // Gbit/s of one, the line's
};

/// What the words say in all, spread over at most one NIC per GPU: sixteen of 100 Gbit/s beside
/// eight GPUs are eight of 200. `gpus` is the machine's, `used` the job's of them: a single NIC
/// without a count serves one GPU. nullopt: no rule finds a rate.
std::optional<NicsRead> nics_of(const std::string& text, const std::vector<NicRule>& rules,
                                int gpus, int used);

}  // namespace heddle::cli::accuracy
