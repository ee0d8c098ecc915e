#pragma once
// A machine in full as a file, schema "heddle.fabric/1": every device, every link in each
// direction with capacity, latency and where that comes from, and what collectives achieve on it.
// `heddle import -o` writes it, "import" of a scenario reads it.
//
//   write(read(write(f))) = write(f); capacities are exact to the byte/s, latencies to the ps

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"
#include "sim/io/import/imported.h"

namespace heddle::io {

inline constexpr std::string_view kFabricSchema = "heddle.fabric/1";

/// Where numbers come from, in the words of hw_models/README.md.
struct FileOrigin {
  std::string id;  // "nvlink4"; links and "comm" refer to it
  std::string kind;
  std::string source;
  std::string date;   // may be empty
  std::string sigma;  // "3 %"; may be empty
};

struct FabricFile {
  fabric::Fabric fabric;
  std::string description;  // what it was made from
  std::vector<FileOrigin> origins;
  std::vector<std::string> link_origins;  // of each link, an id of `origins`
  std::string comm_origin;                // an id of `origins`
  std::vector<Inference> inferences;
};

std::string write_fabric_file(const FabricFile& file);

/// nullopt and every fault with pointer and line: unknown keys, devices and origins, quantities
/// without units, what freezing a fabric refuses.
std::optional<FabricFile> read_fabric_file(std::string_view text, const std::string& file,
                                           Diagnostics& out);

}  // namespace heddle::io
