#include "sim/cli/accuracy/sweep_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "sim/cli/accuracy/nccl_variables.h"
#include "sim/cli/accuracy/nic_text.h"
#include "sim/collective/nccl_version.h"
#include "sim/run/gpu_places.h"

namespace heddle::cli::accuracy {
namespace {

/// What no rule can read.
struct Unreadable {
  std::string reason;
};

/// "alltoall" and "all_to_all" are one word.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '_' && c != '-') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

schedule::CollectiveKind kind_of(const std::string& name) {
  for (const schedule::CollectiveKind kind : schedule::kCollectiveKinds) {
    if (squeezed(schedule::to_string(kind)) == squeezed(name)) return kind;
  }
  throw Unreadable{fmt::format("the collective \"{}\" is not modelled", name)};
}

int known(const std::optional<int>& count, const char* what) {
  if (!count) throw Unreadable{fmt::format("the number of {} is not recorded", what)};
  return *count;
}

class PlaceReader {
 public:
  PlaceReader(const MeasuredSweep& sweep, const PlaceRules& rules,
              const run::HardwareCatalog& catalog)
      : sweep_(sweep), rules_(rules), catalog_(catalog) {}

  SweepPlace read() {
    place_.kind = kind_of(sweep_.collective);
    const MachineRule& machine = machine_rule();
    place_.choice.node = machine.node;
    assume(machine.assumption);
    read_counts(machine);
    read_members();
    if (place_.choice.nodes > 1) read_network();
    read_variables(machine);
    read_version();
    read_overlay();
    place_.text = text();
    return std::move(place_);
  }

 private:
  const MachineRule& machine_rule() const {
    const auto rule =
        std::find_if(rules_.machines.begin(), rules_.machines.end(), [this](const auto& r) {
          return r.gpu.found_in(sweep_.gpu) && r.topology.found_in(sweep_.topology);
        });
    if (rule == rules_.machines.end()) {
      throw Unreadable{
          fmt::format("no preset for the GPU \"{}\" in \"{}\"", sweep_.gpu, sweep_.topology)};
    }
    if (!rule->unsupported.empty()) throw Unreadable{rule->unsupported};
    return *rule;
  }

  void read_counts(const MachineRule& machine) {
    Diagnostics problems;
    const auto node = catalog_.node(machine.node, problems);
    if (!node) throw Unreadable{problems.all().front().message};
    size_ = static_cast<int>(node->gpus().size());
    const int gpus = known(sweep_.gpus, "GPUs");
    int nodes = known(sweep_.nodes, "machines");
    if (machine.is_domain) nodes = (gpus + size_ - 1) / size_;
    if (gpus % nodes != 0 || gpus / nodes > size_) {
      throw Unreadable{fmt::format("{} GPUs on {} machines do not fit {}, which has {}", gpus,
                                   nodes, machine.node, size_)};
    }
    place_.choice.nodes = nodes;
    used_ = gpus / nodes;
  }

  /// The scheduler's default is the first GPUs of each machine.
  std::vector<int> members() const {
    for (const MemberRule& rule : rules_.members) {
      const auto groups = rule.topology.groups_in(sweep_.topology);
      if (!groups) continue;
      std::vector<int> numbers = rule.gpus;
      if (numbers.empty()) {
        for (const std::string& group : *groups) numbers.push_back(std::atoi(group.c_str()));
      }
      if (static_cast<int>(numbers.size()) == used_) return numbers;
    }
    std::vector<int> first;
    for (int i = 0; i < used_; ++i) first.push_back(i);
    return first;
  }

  void read_members() {
    const std::vector<int> numbers = members();
    place_.choice.gpus = run::spread_gpus(numbers, place_.choice.nodes, run::RankOrder::kNode);
    if (used_ < size_) {
      assume(fmt::format("subset of a machine: GPUs {}", fmt::join(numbers, ",")));
    }
  }

  bool is_set(const Variables& wanted) const {
    return std::all_of(wanted.begin(), wanted.end(), [this](const auto& variable) {
      const auto found = sweep_.env.find(variable.first);
      return found != sweep_.env.end() && found->second == variable.second;
    });
  }

  void read_network() {
    if (sweep_.inter_fabric.empty()) {
      throw Unreadable{"what joins the machines is not recorded"};
    }
    const auto rule = std::find_if(
        rules_.networks.begin(), rules_.networks.end(),
        [this](const auto& r) { return r.text.found_in(sweep_.inter_fabric) && is_set(r.env); });
    if (rule == rules_.networks.end()) {
      throw Unreadable{
          fmt::format("no network is known for the words \"{}\"", sweep_.inter_fabric)};
    }
    assume(rule->assumption);
    const auto nics = nics_of(sweep_.inter_fabric, rules_.nics, size_, used_);
    if (!nics) throw Unreadable{"the rate of the network is not recorded"};
    place_.choice.network =
        fmt::format("{}@{}x{:.6g}Gbit/s", rule->network, nics->per_machine, nics->gbps);
  }

  void read_variables(const MachineRule& machine) {
    for (const Variables* env : {&machine.env, &sweep_.env}) {
      for (const auto& [name, value] : *env) {
        if (rules_.without_effect.contains(name)) continue;
        if (const auto reason = apply_variable(name, value, place_.choice.comm)) {
          throw Unreadable{*reason};
        }
      }
    }
  }

  void read_version() {
    using collective::NcclVersion;
    const auto version = NcclVersion::parse(sweep_.nccl_version);
    if (!version) {
      assume("NCCL's version is not recorded: the newest whose constants are known");
      return;
    }
    const bool is_older = *version < NcclVersion::parse(rules_.oldest_nccl).value_or(NcclVersion{});
    place_.choice.nccl_version = is_older ? rules_.oldest_nccl : sweep_.nccl_version;
    if (is_older) {
      assume(fmt::format("NCCL {}: the constants of {}", sweep_.nccl_version, rules_.oldest_nccl));
    }
  }

  void read_overlay() {
    for (const OverlayRule& rule : rules_.overlays) {
      if (!rule.id.found_in(sweep_.id) || !rule.gpu.found_in(sweep_.gpu)) continue;
      place_.choice.overlay = rule.overlay;
      return;
    }
  }

  std::string text() const {
    const run::FabricChoice& choice = place_.choice;
    const std::string part = used_ < size_ ? fmt::format("{} of ", used_) : "";
    std::string text = choice.nodes == 1
                           ? part + choice.node
                           : fmt::format("{} x {}{}", choice.nodes, part, choice.node);
    if (!choice.network.empty()) text += ", " + choice.network;
    if (!choice.overlay.empty()) text += ", overlay " + choice.overlay;
    return text;
  }

  void assume(const std::string& assumption) {
    if (!assumption.empty()) place_.assumptions.push_back(assumption);
  }

  const MeasuredSweep& sweep_;
  const PlaceRules& rules_;
  const run::HardwareCatalog& catalog_;
  SweepPlace place_;
  int size_ = 0;  // GPUs of a machine
  int used_ = 0;  // of them
};

}  // namespace

PlaceOrReason place_of(const MeasuredSweep& sweep, const PlaceRules& rules,
                       const run::HardwareCatalog& catalog) {
  try {
    return PlaceReader(sweep, rules, catalog).read();
  } catch (const Unreadable& problem) {
    return problem.reason;
  }
}

}  // namespace heddle::cli::accuracy
