#include "sim/run/folding.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <variant>

namespace heddle::run {
namespace {

constexpr int kAlwaysThere = 64;  // machines that no folding leaves out

/// "node5/gpu3" is there, whatever is left out.
bool is_slow_gpu_of_first_machines(const fabric::Change& change) {
  constexpr std::string_view kNode = "node";
  const auto* slow = std::get_if<fabric::SlowGpu>(&change.what);
  if (slow == nullptr || !slow->gpu.starts_with(kNode)) return false;
  int node = kAlwaysThere;
  std::from_chars(slow->gpu.data() + kNode.size(), slow->gpu.data() + slow->gpu.size(), node);
  return node < kAlwaysThere;
}

}  // namespace

bool can_fold(const FabricChoice& choice) {
  return choice.may_fold && choice.gpus.empty() && choice.rank_order == RankOrder::kNode &&
         choice.background.empty() &&
         std::all_of(choice.changes.begin(), choice.changes.end(), is_slow_gpu_of_first_machines);
}

void keep_first_ranks(std::vector<schedule::Communicator>& communicators, std::size_t ranks) {
  for (schedule::Communicator& c : communicators) {
    for (std::vector<int>& group : c.groups) {
      std::erase_if(group, [&](int rank) { return static_cast<std::size_t>(rank) >= ranks; });
    }
    std::erase_if(c.groups, [](const std::vector<int>& group) { return group.empty(); });
  }
}

void keep_first_ranks(schedule::Schedule& schedule, std::size_t ranks) {
  schedule.program_of_rank.resize(ranks);
  keep_first_ranks(schedule.communicators, ranks);
}

}  // namespace heddle::run
