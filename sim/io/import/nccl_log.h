#pragma once
// What NCCL prints with NCCL_DEBUG=INFO, versions 2.4 to 2.28: which ranks met, the rings and trees
// it found, how each hop is carried, and what it was told by its environment. Lines of ranks and
// programs may be mixed, communicators may follow each other, and a log may show one rank only.
//
// Ranks of one initialisation belong together by their commId; before 2.17, which has none, by the
// number of ranks and the order in which each rank is seen. Nothing is filled in: a ring that is
// not printed is absent, one that NCCL cut (it prints 20 ranks) is marked.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

struct NcclRank {
  int rank = 0;
  int line = 0;
  std::string host;
  int cuda_device = -1;  // -1: not told
  int nvml_device = -1;
  std::string bus_id;  // "0000:9c:00.0"; empty: not told

  friend bool operator==(const NcclRank&, const NcclRank&) = default;
};

struct NcclTree {
  int channel = 0;
  int rank = 0;
  int parent = -1;            // -1: the root
  std::vector<int> children;  // without the empty places

  friend bool operator==(const NcclTree&, const NcclTree&) = default;
};

/// One direction between two ranks, on one channel.
struct NcclHop {
  int channel = 0;
  int from = 0;
  int to = 0;
  std::string transport;  // "P2P/IPC", "SHM/direct/direct", "NET/IB": without device and flags
  bool gpu_direct = false;

  friend bool operator==(const NcclHop&, const NcclHop&) = default;
};

struct NcclCommunicator {
  int line = 0;
  std::string id;  // commId; empty before 2.17
  std::optional<int> nranks;
  std::optional<int> nnodes;
  std::optional<int> channels;  // of "Channel 00/24 : 0 1 2 ..."
  std::optional<int> coll_channels;
  std::optional<int> nvls_channels;
  std::optional<int> p2p_channels;
  std::map<int, std::vector<int>> rings;  // by channel, in order of the ring
  bool rings_truncated = false;
  bool complete = false;  // some rank finished its initialisation
  std::vector<NcclRank> ranks;
  std::vector<NcclTree> trees;
  std::vector<NcclHop> hops;
};

/// "Pattern 4, crossNic 0, nChannels 12, bw 20.0/20.0, type NVL/PIX, sameChannels 0". GB/s.
struct NcclGraph {
  int pattern = 0;
  int cross_nic = 0;
  int channels = 0;
  double intra_gbs = 0;
  double inter_gbs = 0;
  std::string intra_type;
  std::string inter_type;
  bool same_channels = false;
};

/// A link of the graph that NCCL found ("+ NVL[480.0] - NVS/0"). GB/s.
struct DumpedLink {
  std::string from;  // "GPU/7000"
  std::string to;
  std::string type;  // "NVL", "PCI", "SYS", "NET"
  double gbs = 0;
};

/// Which algorithm an operation of a size runs with.
struct NcclChoice {
  std::string collective;  // "AllReduce"
  std::int64_t bytes = 0;
  std::string algorithm;          // "ring", "tree", "nvls" ...
  std::string protocol;           // "ll", "ll128", "simple"
  std::optional<double> time_us;  // NCCL's own estimate
};

struct NcclSetting {
  std::string name;  // "NCCL_P2P_LEVEL"
  std::string value;

  friend bool operator==(const NcclSetting&, const NcclSetting&) = default;
};

struct NcclLog {
  std::vector<std::string> versions;  // in order of appearance, each once
  std::vector<NcclCommunicator> communicators;
  std::vector<NcclSetting> environment;  // each pair once
  std::optional<std::string> network;    // "IB", "Socket", "AWS Libfabric"
  std::optional<std::string> network_plugin;
  std::vector<std::string> nics;  // "mlx5_0"
  std::optional<double> system_max_gbs;
  std::optional<double> system_total_gbs;
  std::vector<DumpedLink> links;
  std::vector<NcclGraph> graphs;
  std::vector<NcclChoice> choices;
  std::vector<std::string> warnings_of_nccl;  // "NCCL WARN ..." texts, each once
};

/// nullopt if the text has no line of NCCL's.
std::optional<NcclLog> read_nccl_log(std::string_view text, const std::string& file,
                                     Diagnostics& out);

ImporterSpec nccl_log_importer();

}  // namespace heddle::io
