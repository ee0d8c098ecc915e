#pragma once
// What-ifs on a machine: links that fail or are derated, NVLink switched off, a slow GPU. Devices
// are named exactly as the fabric prints them ("gpu0", "nvswitch0", "n1/gpu3"); no wildcards.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"

namespace heddle::fabric {

/// "gpu0 - gpu1" means both directions, "gpu0 -> gpu1" one; of several links between two devices
/// each is meant.
struct LinkDown {
  std::string link;
  friend bool operator==(const LinkDown&, const LinkDown&) = default;
};

/// What each of the links carries from now on: a share of what it did, or a rate.
struct LinkCapacity {
  std::string link;
  std::variant<std::int64_t, Bandwidth> capacity;  // ppb in (0, kPpb), or positive
  friend bool operator==(const LinkCapacity&, const LinkCapacity&) = default;
};

/// Without its NVLinks, into switches too; of one GPU if named.
struct NvlinkOff {
  std::string gpu;  // name, or number if the fabric is one machine; empty: all
  friend bool operator==(const NvlinkOff&, const NvlinkOff&) = default;
};

/// Kernels of the GPU take 1/speed of their time: clocks and HBM both. Its links keep their speed.
struct SlowGpu {
  std::string gpu;             // name, or number if the fabric is one machine
  std::int64_t speed_ppb = 0;  // in (0, kPpb)
  friend bool operator==(const SlowGpu&, const SlowGpu&) = default;
};

struct Change {
  std::variant<LinkDown, LinkCapacity, NvlinkOff, SlowGpu> what;
  std::string pointer;  // JSON pointer, for diagnostics

  friend bool operator==(const Change&, const Change&) = default;
};

/// "gpu0 - gpu1 down", "gpu0 -> gpu1 at 50 %", "NVLink of gpu3 off", "gpu3 at 80 % speed"
std::string to_text(const Change& change);

/// The fabric with the changes made, in order, each to what those before left; routes are found
/// anew. Errors (at the change's pointer in `source`): a device or link that does not exist, the
/// nearest suggested; one that is down already; NVLink that is not there. Slow GPUs are only
/// checked: they change no link.
std::optional<Fabric> with_changes(const Fabric& fabric, std::span<const Change> changes,
                                   const std::string& source, Diagnostics& out);

/// Speed in ppb by device; only GPUs can be slow. The changes must have passed
/// with_changes(); a GPU that is named twice is slowed twice.
std::vector<std::int64_t> gpu_speeds(const Fabric& fabric, std::span<const Change> changes);

}  // namespace heddle::fabric
