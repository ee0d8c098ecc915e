// Two jobs that share nothing run as if each were alone.

#include <gtest/gtest.h>

#include "sim/engine/simulation.h"
#include "tests/support/random_schedule.h"
#include "tests/support/result_compare.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using schedule::OpKind;

/// What each table of the first job adds to the ids of the second.
struct Offsets {
  std::uint32_t kernels, collectives, buffers, events, marks, labels;
};

std::uint32_t size32(std::size_t size) {
  return static_cast<std::uint32_t>(size);
}

void shift_op(schedule::Op& op, const Offsets& by) {
  op.label.value += by.labels;
  switch (op.kind) {
    case OpKind::kCompute:
      op.arg += by.kernels;
      break;
    case OpKind::kCollective:
      op.arg += by.collectives;
      break;
    case OpKind::kAlloc:
    case OpKind::kFree:
      op.arg += by.buffers;
      break;
    case OpKind::kRecord:
    case OpKind::kWait:
    case OpKind::kHostWait:
      op.arg += by.events;
      break;
    case OpKind::kMark:
      op.arg += by.marks;
      break;
    case OpKind::kHostWork:
      break;
  }
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_costs(RandomCase& a, RandomCase& b) {
  const std::size_t links = a.costs.links.size();
  append(a.costs.kernels, b.costs.kernels);
  append(a.costs.links, b.costs.links);
  append(a.costs.collectives, b.costs.collectives);
  for (auto& uses : b.uses) {
    for (auto& use : uses) use.link = fabric::LinkId{use.link.index() + links};
  }
  append(a.uses, b.uses);
  refresh_costs(a);
}

RandomCase united(RandomCase a, RandomCase b) {
  schedule::Schedule& s = a.schedule;
  schedule::Schedule& t = b.schedule;
  const Offsets by{size32(s.kernels.size()), size32(s.collectives.size()), size32(s.buffers.size()),
                   size32(s.event_count),    size32(s.marks.size()),       size32(s.labels.size())};
  for (schedule::Program& p : t.programs) {
    for (schedule::Op& op : p.ops) shift_op(op, by);
  }
  for (schedule::Communicator& c : t.communicators) {
    for (int& r : c.groups.front()) r += s.rank_count();
  }
  for (schedule::Collective& c : t.collectives) {
    c.communicator.value += size32(s.communicators.size());
  }
  for (int& p : t.program_of_rank) p += static_cast<int>(s.programs.size());
  append(s.programs, t.programs);
  append(s.program_of_rank, t.program_of_rank);
  append(s.communicators, t.communicators);
  append(s.kernels, t.kernels);
  append(s.collectives, t.collectives);
  append(s.buffers, t.buffers);
  append(s.labels, t.labels);
  append(s.marks, t.marks);
  s.event_count += t.event_count;
  append_costs(a, b);
  return a;
}

TEST(DisjointUnion, EachJobRunsAsWhenAlone) {
  for_each_seed([](std::uint64_t seed) {
    const auto second = [seed] {
      RandomCase c = random_case(seed + 1000);
      const RandomCase first = random_case(seed);  // one machine: host and GPU are the same
      c.costs.host = first.costs.host;
      c.costs.launch_latency = first.costs.launch_latency;
      return c;
    };
    const RandomCase a = random_case(seed);
    const RandomCase b = second();
    const auto alone_a = engine::simulate(a.schedule, a.costs, {});
    const auto alone_b = engine::simulate(b.schedule, b.costs, {});
    const RandomCase both = united(random_case(seed), second());
    const auto together = engine::simulate(both.schedule, both.costs, {});
    const std::size_t first_ranks = alone_a.ranks.size();
    ASSERT_EQ(together.ranks.size(), first_ranks + alone_b.ranks.size());
    for (std::size_t r = 0; r < together.ranks.size(); ++r) {
      expect_same(r < first_ranks ? alone_a.ranks[r] : alone_b.ranks[r - first_ranks],
                  together.ranks[r]);
    }
  });
}

}  // namespace
}  // namespace heddle::test
