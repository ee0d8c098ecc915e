#pragma once
// One line of NCCL's log taken apart, without memory of other lines.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/import/nccl_log.h"

namespace heddle::io {

/// "host:pid:tid [gpu] NCCL INFO message".
struct NcclMessage {
  std::string_view source;  // "host:pid:tid"; empty if not told
  std::string_view host;
  bool warning = false;
  std::string_view text;  // the message
  std::string_view raw;   // the same with the blanks around it
};

/// What NCCL wrote in this line: several messages where processes wrote over each other, none if
/// another program did.
std::vector<NcclMessage> split_messages(std::string_view line);

/// "Channel 00/24 : 0 1 2", "Ring 00 : 0 1 2" (before 2.5).
struct RingLine {
  int channel = 0;
  std::optional<int> channels;
  std::vector<int> ranks;
  bool clean = true;  // false: something else follows the ranks
};
std::optional<RingLine> parse_ring(std::string_view message);

/// "Channel 00/0 : 0[6] -> 1[7] via P2P/CUMEM", "Ring 00 : 1[160] -> 0[160] [receive] via NET/..."
std::optional<NcclHop> parse_hop(std::string_view message);

/// "Trees [0] 1/-1/-1->0->-1 [1] ...", with "|" and the way down before 2.8, "-1->0->1/-1/-1" in
/// 2.4. Cut ones at the end of the line are dropped and leave `clean` false.
struct TreesLine {
  std::vector<NcclTree> trees;
  bool clean = true;
};
std::optional<TreesLine> parse_trees(std::string_view message);

/// "comm 0x1 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 7000 commId 0x2 - Init START"
struct InitLine {
  enum class Phase { kStart, kInfo, kComplete };
  Phase phase = Phase::kInfo;
  NcclRank rank;
  std::string id;
  std::optional<int> nranks;
  std::optional<int> nnodes;
};
std::optional<InitLine> parse_init(std::string_view message);

/// "NCCL_IB_DISABLE set by environment to 1."
std::optional<NcclSetting> parse_setting(std::string_view message);

}  // namespace heddle::io
