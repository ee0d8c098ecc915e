#pragma once
// How the words of a record become a machine: ordered rules, data in
// scenarios/accuracy/collectives.json (schema heddle.accuracy-plan/2). Of each list the first rule
// that fits counts. Rules read a record's words, never its id; only overlays, which hold what was
// found on one site, name the records of that site.

#include <map>
#include <string>
#include <vector>

#include "sim/cli/accuracy/text_pattern.h"

namespace heddle::cli::accuracy {

using Variables = std::map<std::string, std::string>;  // of the environment, by name

struct MachineRule {
  TextPattern gpu;
  TextPattern topology;
  std::string node;         // preset
  std::string unsupported;  // instead of `node`: why there is none
  bool is_domain = false;   // the preset is several of the record's machines: a rack of trays
  Variables env;            // what the words say and a variable would force
  std::string assumption;   // what the words do not say
};

/// Which GPUs of a machine; without one: 0, 1, 2, ...
struct MemberRule {
  TextPattern topology;
  std::vector<int> gpus;  // empty: the pattern's groups are the numbers
};

/// A text with the rate of NICs; what the groups of the pattern are.
enum class NicFigure { kCount, kGbpsPerNic, kGbpsPerGpu, kGbpsPerNode };
struct NicRule {
  TextPattern text;
  std::vector<NicFigure> groups;
  double gbps_per_nic = 0;  // where the words name a standard: HDR is 200 Gbit/s
};

struct NetworkRule {
  TextPattern text;
  Variables env;  // that must be set so
  std::string network;
  std::string assumption;
};

struct OverlayRule {
  TextPattern id;
  TextPattern gpu;
  std::string overlay;
};

struct PlaceRules {
  std::vector<MachineRule> machines;
  std::vector<MemberRule> members;
  std::vector<NicRule> nics;
  std::vector<NetworkRule> networks;
  std::vector<OverlayRule> overlays;
  Variables without_effect;  // variables that change no modelled time, with the reason
  std::string oldest_nccl;   // stands for everything before it
};

/// nullopt and every problem found.
std::optional<PlaceRules> read_place_rules(std::string_view text, const std::string& file,
                                           Diagnostics& out);

}  // namespace heddle::cli::accuracy
