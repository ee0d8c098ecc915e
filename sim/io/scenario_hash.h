#pragma once
// Identity of a scenario for fingerprints and caches.

#include <cstdint>
#include <span>
#include <string>

#include "sim/run/scenario.h"

namespace heddle::io {

/// Covers what can change a number: quantities as read, so that "80 GB" and "80000 MB" are the
/// same, and the content of the files named. Names, ids, texts for people and paths are left out.
std::uint64_t scenario_hash(const run::Scenario& scenario, std::span<const std::string> files);

}  // namespace heddle::io
