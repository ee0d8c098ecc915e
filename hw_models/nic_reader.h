#pragma once
// The NICs of a machine, as node and network files write them.

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"

namespace heddle::hw_models {

/// `count` per machine or `per_gpu`; the other is 0, both: none.
struct NicModel {
  int count = 0;
  int per_gpu = 0;
  std::string link;  // file in links/, of kind "network"

  int of_machine(int gpus) const { return count + per_gpu * gpus; }
};

/// {"count": {"value": "8 NICs", ...}, "link": "ib-ndr"}, or "per_gpu" instead of "count".
NicModel read_nics(const io::Value& value, Diagnostics& out);

}  // namespace heddle::hw_models
