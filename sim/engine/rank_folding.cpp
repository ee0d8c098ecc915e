#include "sim/engine/rank_folding.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "sim/engine/colour_refinement.h"

namespace heddle::engine {
namespace {

/// With one group each, a communicator's links are the same for all: programs and speeds decide.
bool has_groups(const schedule::Schedule& schedule) {
  return std::any_of(schedule.communicators.begin(), schedule.communicators.end(),
                     [](const schedule::Communicator& c) { return c.groups.size() > 1; });
}

class Folder {
 public:
  Folder(const schedule::Schedule& schedule, const CostTable& costs)
      : schedule_(schedule), costs_(costs) {}

  void fold_alike() {
    if (has_groups(schedule_)) return fold_by_colours();
    std::map<std::pair<int, std::int64_t>, std::uint32_t> known;
    for (int rank = 0; rank < schedule_.rank_count(); ++rank) {
      const std::pair key(program_of(rank), speed_of(costs_.speeds, rank));
      add_rank(rank, known.try_emplace(key, class_count()).first->second);
    }
    add_each_group();
  }

  void keep_apart() {
    for (int rank = 0; rank < schedule_.rank_count(); ++rank) add_rank(rank, class_count());
    add_each_group();
  }

  Folding take() {
    add_members();
    return std::move(folding_);
  }

 private:
  int program_of(int rank) const {
    return schedule_.program_of_rank[static_cast<std::size_t>(rank)];
  }
  std::uint32_t class_count() const { return static_cast<std::uint32_t>(folding_.classes.size()); }

  void add_rank(int rank, std::uint32_t rank_class) {
    folding_.class_of_rank.push_back(rank_class);
    if (rank_class < class_count()) {
      ++folding_.classes[rank_class].multiplicity;
    } else {
      folding_.classes.push_back({program_of(rank), rank, 1, speed_of(costs_.speeds, rank)});
    }
  }

  void add_each_group() {
    for (std::uint32_t c = 0; c < schedule_.communicators.size(); ++c) {
      const std::size_t count = schedule_.communicators[c].groups.size();
      for (std::uint32_t g = 0; g < count; ++g) folding_.groups.push_back({c, {g}, {}});
    }
  }

  void fold_by_colours() {
    const ColourRefinement colours(schedule_, costs_);
    std::map<Colour, std::uint32_t> classes;
    for (int rank = 0; rank < schedule_.rank_count(); ++rank) {
      const Colour colour = colours.ranks()[static_cast<std::size_t>(rank)];
      add_rank(rank, classes.try_emplace(colour, class_count()).first->second);
    }
    for (std::uint32_t c = 0; c < schedule_.communicators.size(); ++c) {
      std::map<Colour, std::size_t> known;
      for (std::uint32_t g = 0; g < schedule_.communicators[c].groups.size(); ++g) {
        const auto [found, fresh] = known.try_emplace(colours.group(c, g), folding_.groups.size());
        if (fresh) folding_.groups.push_back({c, {}, {}});
        folding_.groups[found->second].groups.push_back(g);
      }
    }
  }

  void add_members() {
    folding_.group_of.assign(class_count(),
                             std::vector(schedule_.communicators.size(), Folding::kNone));
    for (std::uint32_t i = 0; i < folding_.groups.size(); ++i) {
      GroupClass& group = folding_.groups[i];
      const auto& groups = schedule_.communicators[group.communicator].groups;
      if (groups.empty()) continue;
      for (const int rank : groups[group.groups.front()]) {
        const std::uint32_t member = folding_.class_of_rank[static_cast<std::size_t>(rank)];
        if (folding_.group_of[member][group.communicator] == i) continue;
        folding_.group_of[member][group.communicator] = i;
        group.members.push_back(member);
      }
    }
  }

  const schedule::Schedule& schedule_;
  const CostTable& costs_;
  Folding folding_;
};

}  // namespace

Folding fold_ranks(const schedule::Schedule& schedule, const CostTable& costs, bool fold) {
  Folder folder(schedule, costs);
  if (fold) {
    folder.fold_alike();
  } else {
    folder.keep_apart();
  }
  return folder.take();
}

}  // namespace heddle::engine
