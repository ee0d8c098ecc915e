#pragma once
// nodes/*.json, schema "heddle.node/1": how many GPUs, how they are wired, what collectives
// achieve.

#include <optional>
#include <string>
#include <vector>

#include "hw_models/data_file.h"
#include "hw_models/nic_reader.h"
#include "sim/fabric/comm_parameters.h"

namespace heddle::hw_models {

enum class NvlinkWiring {
  kNone,    // "pcie": GPUs meet only over PCIe
  kMesh,    // "mesh": dedicated links between the GPUs of each group, or bridges
  kLinks,   // "links": dedicated links, pair by pair
  kSwitch,  // "nvswitch": every GPU has one port of all its links
};

/// NVLinks between two GPUs.
struct PairLinks {
  int a = 0;
  int b = 0;
  int links = 0;
};

struct NodeModel {
  std::string name;
  std::string summary;
  std::string gpu;  // file in gpus/
  int gpus = 0;

  NvlinkWiring wiring = NvlinkWiring::kNone;
  std::string nvlink;  // file in links/, empty for kNone
  int links_per_gpu = 0;
  int links_per_pair = 0;                // kMesh
  std::vector<std::vector<int>> groups;  // kMesh: GPUs joined with each other
  std::vector<PairLinks> pairs;          // kLinks

  std::string pcie;          // file in links/
  std::string interconnect;  // file in links/
  std::string c2c;           // file in links/: GPUs hang on their CPU by it; empty: by PCIe
  int gpus_per_socket = 0;
  int gpus_per_pcie_switch = 0;  // 0: on the CPU's root ports
  int sockets_per_host = 0;      // interconnect only inside a host; 0: one host
  NicModel nics;
  std::string network;  // file in networks/ for several of these; may be empty

  std::string comm_name;        // file in comm/
  fabric::CommParameters comm;  // what that file says, filled by the catalog

  int socket_of(int gpu_number) const { return gpu_number / gpus_per_socket; }
};

std::optional<NodeModel> read_node(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
