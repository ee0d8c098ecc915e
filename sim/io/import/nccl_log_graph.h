#pragma once
// NCCL's dump of the graph it found (NCCL_DEBUG_SUBSYS=GRAPH) and of its choices (TUNING).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/import/nccl_log.h"

namespace heddle::io {

/// "Pattern 4, crossNic 0, nChannels 12, bw 20.0/20.0, type NVL/PIX, sameChannels 0"; "speed"
/// instead of "bw" before 2.12.
std::optional<NcclGraph> parse_graph(std::string_view message);

/// "AllReduce: 1048576 Bytes -> Algo 1 proto 2 time 55.1", from 2.24 on "Algo RING proto SIMPLE".
std::optional<NcclChoice> parse_choice(std::string_view message);

/// Follows the indented tree between "=== System : maxBw 48.0 totalBw 360.0 ===" and "=====".
class SystemDump {
 public:
  /// True if the line belongs to the dump; lines of other ranks may stand in between.
  bool read(std::string_view message, std::string_view raw, NcclLog& log);

 private:
  struct Place {
    int indent = 0;  // -1 for a root
    std::string name;
  };
  void open(std::string_view message, NcclLog& log);
  /// False if the line is no node of the tree.
  bool read_node(std::string_view raw, NcclLog& log);

  bool open_ = false;
  std::vector<Place> path_;  // from the root to the last node
};

}  // namespace heddle::io
