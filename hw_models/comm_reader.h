#pragma once
// comm/*.json, schema "heddle.comm/1": what collectives achieve on one kind of machine, before
// anything was measured on it.

#include <optional>
#include <string>

#include "hw_models/data_file.h"
#include "sim/fabric/comm_parameters.h"

namespace heddle::hw_models {

struct CommFile {
  fabric::CommParameters comm;  // without a network: that is not the machine's
  std::string summary;
};

std::optional<CommFile> read_comm(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
