#pragma once
// Traffic of others on the machine's links, as a scenario declares it.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

/// From one device to another, named as the fabric prints them. Without bytes it is steady.
struct PointFlow {
  std::string from;
  std::string to;
  std::optional<Bandwidth> rate;  // at most; required if steady
  friend bool operator==(const PointFlow&, const PointFlow&) = default;
};

/// A collective of another job, as NCCL would run it on those GPUs.
struct TenantCollective {
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  std::vector<std::string> gpus;  // names, or numbers if the fabric is one machine
  friend bool operator==(const TenantCollective&, const TenantCollective&) = default;
};

struct BackgroundChoice {
  std::string name;  // unique in its fabric
  std::variant<PointFlow, TenantCollective> what;
  Bytes bytes;      // of one transfer; zero: a steady flow
  Duration period;  // between the starts of transfers; zero: each follows the one before
  Duration start;   // of the first
  std::string pointer;

  friend bool operator==(const BackgroundChoice&, const BackgroundChoice&) = default;
};

/// "checkpoint: gpu0 -> cpu0, steady 5.000 GB/s"
std::string to_text(const BackgroundChoice& choice);

}  // namespace heddle::run
