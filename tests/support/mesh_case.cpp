#include "tests/support/mesh_case.h"

#include <utility>

#include "sim/base/rng.h"

namespace heddle::test {
namespace {

using collective::LinkUse;

class Mesh {
 public:
  Mesh(std::uint64_t seed, bool broken)
      : rng_(seed + 7), c_(random_case(seed)), copies_(static_cast<int>(rng_.uniform_int(2, 4))) {
    ranks_ = c_.schedule.rank_count();
    copy_ranks();
    copy_costs();
    add_replicas();
    if (broken) break_symmetry();
    refresh_costs(c_);
  }

  RandomCase take() { return std::move(c_); }

 private:
  void copy_ranks() {
    schedule::Schedule& s = c_.schedule;
    const std::vector<int> programs = s.program_of_rank;
    for (int copy = 1; copy < copies_; ++copy) {
      s.program_of_rank.insert(s.program_of_rank.end(), programs.begin(), programs.end());
    }
    for (schedule::Communicator& communicator : s.communicators) {
      for (int copy = 1; copy < copies_; ++copy) {
        std::vector<int> group = communicator.groups.front();
        for (int& rank : group) rank += copy * ranks_;
        communicator.groups.push_back(std::move(group));
      }
    }
  }

  /// An entry per collective and copy; a communicator's copies share links or have their own.
  void copy_costs() {
    const std::size_t links = c_.costs.links.size();
    const auto capacities = c_.costs.links;
    for (int more = 0; more < copies_; ++more) {  // the last ones are shared
      c_.costs.links.insert(c_.costs.links.end(), capacities.begin(), capacities.end());
    }
    std::vector<bool> shared;
    for (std::size_t i = 0; i < c_.schedule.communicators.size(); ++i) {
      shared.push_back(rng_.chance(0.4));
    }
    const auto costs = std::exchange(c_.costs.collectives, {});
    const auto uses = std::exchange(c_.uses, {});
    for (std::size_t i = 0; i < costs.size(); ++i) {
      std::vector<std::uint32_t>& entries = c_.costs.entries.emplace_back();
      const std::size_t communicator = c_.schedule.collectives[i].communicator.index();
      for (int copy = 0; copy < copies_; ++copy) {
        const int whose = shared[communicator] ? copies_ : copy;
        const std::size_t by = links * static_cast<std::size_t>(whose);
        std::vector<LinkUse> moved = uses[i];
        for (LinkUse& use : moved) use.link = fabric::LinkId{use.link.index() + by};
        entries.push_back(add_entry(costs[i], std::move(moved)));
      }
    }
  }

  std::uint32_t add_entry(const collective::CollectiveCost& cost, std::vector<LinkUse> uses) {
    c_.costs.collectives.push_back(cost);
    c_.uses.push_back(std::move(uses));
    return static_cast<std::uint32_t>(c_.costs.collectives.size() - 1);
  }

  /// Rank r of every copy, on a link of its own or on one that all of them share.
  void add_replicas() {
    schedule::Schedule& s = c_.schedule;
    schedule::Communicator replicas{"replicas", {}};
    for (int rank = 0; rank < ranks_; ++rank) {
      std::vector<int>& group = replicas.groups.emplace_back();
      for (int copy = 0; copy < copies_; ++copy) group.push_back(copy * ranks_ + rank);
    }
    const auto id = static_cast<std::uint32_t>(s.collectives.size());
    const schedule::CommunicatorId communicator{s.communicators.size()};
    s.communicators.push_back(std::move(replicas));
    const Bytes bytes{rng_.uniform_int(1, 2'000'000)};
    s.collectives.push_back(
        {schedule::CollectiveKind::kAllReduce, communicator, bytes, schedule::DType::kBFloat16});
    const bool shared = rng_.chance(0.5);
    collective::CollectiveCost cost;
    cost.payload = bytes;
    cost.latency = nanoseconds(rng_.uniform_int(0, 10'000));
    cost.rate_cap = Bandwidth{rng_.uniform_int(1, 200) * 1'000'000'000};
    std::vector<std::uint32_t>& entries = c_.costs.entries.emplace_back();
    for (int rank = 0; rank < ranks_; ++rank) {
      if (rank == 0 || !shared) c_.costs.links.push_back(Bandwidth{100'000'000'000});
      const fabric::LinkId link{c_.costs.links.size() - 1};
      entries.push_back(add_entry(cost, {{link, kPpb, kPpb}}));
    }
    s.labels.push_back({schedule::Phase::kBackward, -1, "replicas"});
    for (schedule::Program& program : s.programs) insert_calls(program, id);
  }

  void insert_calls(schedule::Program& program, std::uint32_t collective) {
    for (int call = 0; call < 4; ++call) {
      const auto at = static_cast<std::ptrdiff_t>(
          rng_.uniform_int(0, static_cast<std::int64_t>(program.ops.size())));
      program.ops.insert(program.ops.begin() + at,
                         {schedule::OpKind::kCollective, schedule::StreamKind::kReplicate, 1,
                          collective, schedule::LabelId{c_.schedule.labels.size() - 1}});
    }
  }

  void break_symmetry() {
    if (rng_.chance(0.5)) {
      c_.costs.speeds.assign(static_cast<std::size_t>(c_.schedule.rank_count()), kPpb);
      c_.costs.speeds[pick(c_.costs.speeds.size())] = rng_.uniform_int(1, 9) * kPpb / 10;
    } else {
      Bandwidth& link = c_.costs.links[pick(c_.costs.links.size())];
      link = {link.bytes_per_second / rng_.uniform_int(2, 9)};
    }
  }
  std::size_t pick(std::size_t count) {
    return static_cast<std::size_t>(rng_.uniform_int(0, static_cast<std::int64_t>(count) - 1));
  }

  Rng rng_;
  RandomCase c_;
  int copies_;
  int ranks_ = 0;
};

}  // namespace

RandomCase mesh_case(std::uint64_t seed, bool broken) {
  return Mesh(seed, broken).take();
}

}  // namespace heddle::test
