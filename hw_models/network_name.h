#pragma once
// A network as scenarios and options name it: a preset ("ib-ndr-rail"), or one with other NICs:
// "ib-ndr-rail@4x200Gbit/s" has four ports of 200 Gbit/s per machine, while its shape and transport
// stay.

#include <optional>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"

namespace heddle::hw_models {

struct OtherNics {
  int per_machine = 0;
  Bandwidth rate;  // of one, the line's
};

struct NetworkName {
  std::string preset;  // may be empty: the machine's own
  std::optional<OtherNics> nics;
};

/// nullopt and a diagnostic for anything but NxRATE behind the "@".
std::optional<NetworkName> parse_network_name(const std::string& text, Diagnostics& out);

}  // namespace heddle::hw_models
