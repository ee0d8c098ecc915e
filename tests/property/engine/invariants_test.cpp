// What holds for every run of every schedule.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "sim/engine/gpu_speed.h"
#include "sim/engine/simulation.h"
#include "tests/support/random_schedule.h"
#include "tests/support/result_compare.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using engine::Interval;
using engine::RankResult;
using engine::RunResult;
using schedule::OpKind;

RunResult run(const RandomCase& c, engine::ExecutorOptions options = {}) {
  return engine::simulate(c.schedule, c.costs, options);
}

const schedule::Program& program_of(const RandomCase& c, const RankResult& rank) {
  return c.schedule.programs[static_cast<std::size_t>(rank.program)];
}

TEST(Invariants, AStreamRunsEveryOpOnceAndInOrder) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    for (const RankResult& rank : run(c).ranks) {
      std::array<Interval, schedule::kStreamCount> last{};
      std::int64_t work = 0;
      for (const Interval& i : rank.intervals) {
        Interval& before = last[static_cast<std::size_t>(i.stream)];
        EXPECT_LE(i.start, i.end);
        EXPECT_GE(i.start, before.end);
        EXPECT_TRUE(before.end == SimTime{} || i.op > before.op);
        before = i;
      }
      for (const schedule::Op& op : program_of(c, rank).ops) {
        work += op.kind == OpKind::kCompute || op.kind == OpKind::kCollective;
      }
      EXPECT_EQ(static_cast<std::int64_t>(rank.intervals.size()), work);
    }
  });
}

// Walks a program with what was measured: after a wait nothing starts before what the event's
// stream had done when it was recorded.
TEST(Invariants, WaitsAreKept) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    for (const RankResult& rank : run(c).ranks) {
      std::map<std::uint32_t, Interval> lives;
      for (const Interval& i : rank.intervals) lives[i.op] = i;
      std::array<SimTime, schedule::kStreamCount> reached{};
      std::map<std::uint32_t, SimTime> events;
      const auto& ops = program_of(c, rank).ops;
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        SimTime& now = reached[static_cast<std::size_t>(ops[i].stream)];
        if (ops[i].kind == OpKind::kRecord) events[ops[i].arg] = now;
        if (ops[i].kind == OpKind::kWait) now = std::max(now, events[ops[i].arg]);
        if (lives.count(i) == 0) continue;
        EXPECT_GE(lives[i].start, now);
        now = lives[i].end;
      }
    }
  });
}

TEST(Invariants, MemoryBalances) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    for (const RankResult& rank : run(c).ranks) {
      Bytes highest;
      SimTime now;
      for (const engine::MemorySample& sample : rank.memory) {
        for (const Bytes b : sample.by_category) EXPECT_GE(b.value, 0);
        EXPECT_GE(sample.time, now);
        now = sample.time;
        highest = std::max(highest, sample.total());
      }
      EXPECT_TRUE(rank.memory.empty() || rank.memory.back().total() == Bytes{0});
      EXPECT_EQ(rank.peak.total(), highest);
      ASSERT_EQ(rank.step_peaks.size(), 2U);
      EXPECT_EQ(std::max(rank.step_peaks[0].total(), rank.step_peaks[1].total()), highest);
    }
  });
}

TEST(Invariants, AccountingAddsUpAndStepsTile) {
  for_each_seed([](std::uint64_t seed) {
    for (const RankResult& rank : run(random_case(seed)).ranks) {
      ASSERT_EQ(rank.steps.size(), 2U);
      EXPECT_EQ(rank.steps[0].begin, rank.marks.front());
      EXPECT_EQ(rank.steps[0].begin + rank.steps[0].step, rank.steps[1].begin);
      for (const engine::StepAccounting& s : rank.steps) {
        EXPECT_EQ(s.compute + s.exposed_comm + s.host + s.other, s.step);
        EXPECT_GE(std::min({s.compute, s.exposed_comm, s.host, s.other}), Duration{0});
        Duration exposed;
        for (const engine::ExposedPart& part : s.exposed) {
          exposed += part.time;
          EXPECT_GE(std::min(part.late, part.queued), Duration{0});
          EXPECT_LE(part.late + part.queued, part.time);
        }
        EXPECT_EQ(exposed, s.exposed_comm);
      }
    }
  });
}

TEST(Invariants, LinksStayWithinCapacityAndEndIdle) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    std::vector<Bandwidth> load(c.costs.links.size());
    for (const engine::LinkSample& sample : run(c).links) {
      EXPECT_LE(sample.load, c.costs.links[sample.link.index()]);
      load[sample.link.index()] = sample.load;
    }
    for (const Bandwidth b : load) EXPECT_EQ(b, Bandwidth{0});
  });
}

TEST(Invariants, ReplayIsIdentical) {
  for_each_seed([](std::uint64_t seed) {
    const RunResult first = run(random_case(seed));
    const RunResult second = run(random_case(seed));
    const RunResult unrecorded = run(random_case(seed), {.record_intervals = false});
    EXPECT_EQ(first.fingerprint, second.fingerprint);
    EXPECT_EQ(first.fingerprint, unrecorded.fingerprint);
    EXPECT_EQ(first.events, unrecorded.events);
    for (std::size_t r = 0; r < first.ranks.size(); ++r) {
      expect_same(first.ranks[r], second.ranks[r]);
      EXPECT_EQ(first.ranks[r].marks, unrecorded.ranks[r].marks);
      EXPECT_EQ(first.ranks[r].peak.total(), unrecorded.ranks[r].peak.total());
    }
  });
}

void expect_fold_changes_nothing(const RandomCase& c) {
  const RunResult folded = run(c);
  const RunResult unfolded = run(c, {.fold = false});
  ASSERT_EQ(static_cast<int>(unfolded.ranks.size()), c.schedule.rank_count());
  EXPECT_EQ(folded.link_bytes, unfolded.link_bytes);
  EXPECT_EQ(folded.links.size(), unfolded.links.size());
  for (const RankResult& rank : unfolded.ranks) {
    const auto same =
        std::find_if(folded.ranks.begin(), folded.ranks.end(), [&rank](const RankResult& other) {
          return other.program == rank.program && other.speed_ppb == rank.speed_ppb;
        });
    ASSERT_NE(same, folded.ranks.end());
    expect_same(*same, rank);
  }
}

TEST(Invariants, FoldedEqualsUnfolded) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    expect_fold_changes_nothing(c);
    add_slow_gpus(c, seed);
    expect_fold_changes_nothing(c);
    add_background(c, seed);
    expect_fold_changes_nothing(c);
  });
}

// What is not declared costs nothing, and full speed is no change.
TEST(Invariants, FullSpeedIsNoChange) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    const std::string before = run(c).fingerprint;
    c.costs.speeds.assign(static_cast<std::size_t>(c.schedule.rank_count()), kPpb);
    EXPECT_EQ(run(c).fingerprint, before);
  });
}

TEST(Invariants, ASlowGpuNeverMakesTheRunShorter) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    for (auto& uses : c.uses) uses.clear();  // no sharing: what is late delays all that follows
    refresh_costs(c);
    const SimTime before = last_end(run(c));
    add_slow_gpus(c, seed);
    EXPECT_GE(last_end(run(c)), before);
  });
}

// With traffic of others: no link above its capacity, and what a periodic flow moved is what its
// finished transfers and at most one more hold; a steady one never exceeds its cap.
TEST(Invariants, BackgroundBytesAreConserved) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    add_background(c, seed);
    const RunResult result = run(c);
    for (const engine::LinkSample& sample : result.links) {
      EXPECT_LE(sample.load, c.costs.links[sample.link.index()]);
    }
    for (std::size_t f = 0; f < c.costs.background.size(); ++f) {
      const engine::BackgroundFlow& flow = c.costs.background[f];
      const engine::BackgroundResult& got = result.background[f];
      if (flow.payload > Bytes{}) {
        EXPECT_GE(got.moved, flow.payload * got.transfers);
        EXPECT_LE(got.moved, flow.payload * (got.transfers + 1));
      } else {
        EXPECT_LE(static_cast<double>(got.moved.value),
                  static_cast<double>(flow.cap.bytes_per_second) * result.end.seconds() + 1);
      }
    }
  });
}

// Recorded loads, summed over time, are the bytes of all collectives and of the background.
TEST(Invariants, RecordedLoadsAddUpToTheBytesMoved) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    add_background(c, seed);
    const RunResult result = run(c);
    std::vector<double> expected(c.costs.links.size(), 0);
    const auto add = [&](std::span<const collective::LinkUse> uses, Bytes payload) {
      for (const collective::LinkUse& use : uses) {
        expected[use.link.index()] +=
            static_cast<double>(payload.value) * static_cast<double>(use.bytes_ppb) * 1e-9;
      }
    };
    for (std::size_t i = 0; i < c.costs.collectives.size(); ++i) {
      const auto communicator = c.schedule.collectives[i].communicator.index();
      if (c.schedule.communicators[communicator].size() < 2) continue;
      add(c.uses[i], c.costs.collectives[i].payload * result.collectives[i].calls);
    }
    for (std::size_t f = 0; f < c.costs.background.size(); ++f) {
      add(c.costs.background[f].uses, result.background[f].moved);
    }
    std::vector<double> carried(expected.size(), 0);
    std::vector<engine::LinkSample> last(expected.size());
    const auto advance = [&](std::size_t link, SimTime until) {
      carried[link] += static_cast<double>(last[link].load.bytes_per_second) *
                       (until - last[link].time).seconds();
    };
    for (const engine::LinkSample& sample : result.links) {
      advance(sample.link.index(), sample.time);
      last[sample.link.index()] = sample;
    }
    for (std::size_t l = 0; l < expected.size(); ++l) {
      advance(l, result.end);
      EXPECT_NEAR(carried[l], expected[l], 1e-6 * expected[l] + 8) << "link " << l;
    }
  });
}

/// The replay sees the buffers that the timeline sees, only rounded to blocks; random schedules use
/// no buffer on two streams, so nothing is pending.
TEST(Invariants, TheAllocatorHoldsWhatTheTimelineSays) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    for (const RankResult& rank : run(c).ranks) {
      ASSERT_TRUE(rank.allocator);
      const engine::AllocatorResult& replay = *rank.allocator;
      ASSERT_EQ(replay.samples.size(), rank.memory.size());
      EXPECT_EQ(replay.marks.size(), rank.marks.size());
      EXPECT_EQ(replay.step_peak_reserved.size(), rank.step_peaks.size());
      EXPECT_GE(replay.peak_active.active, rank.peak.total());
      for (std::size_t i = 0; i < replay.samples.size(); ++i) {
        EXPECT_EQ(replay.samples[i].op, rank.memory[i].op);
        EXPECT_EQ(replay.samples[i].time, rank.memory[i].time);
        EXPECT_GE(replay.samples[i].allocated, rank.memory[i].total());
        EXPECT_EQ(replay.samples[i].active, replay.samples[i].allocated);
        EXPECT_GE(replay.samples[i].reserved, replay.samples[i].active);
        EXPECT_LE(replay.samples[i].reserved, replay.peak_reserved.reserved);
      }
    }
  });
}

/// Buffers that other streams use only stay longer, and nothing else of the run changes.
TEST(Invariants, RecordedStreamsOnlyAddToActiveMemory) {
  std::int64_t pending = 0;
  for_each_seed([&](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    const RunResult plain = run(c);
    for (schedule::Buffer& buffer : c.schedule.buffers) buffer.used_by = 0b110;
    const RunResult recorded = run(c);
    EXPECT_EQ(plain.fingerprint, recorded.fingerprint);
    for (std::size_t r = 0; r < plain.ranks.size(); ++r) {
      const auto& before = plain.ranks[r].allocator->samples;
      const auto& after = recorded.ranks[r].allocator->samples;
      ASSERT_EQ(before.size(), after.size());
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_GE(after[i].active, after[i].allocated);
        EXPECT_GE(after[i].reserved, after[i].active);
        pending += after[i].active > after[i].allocated;
      }
    }
  });
  EXPECT_GT(pending, 100);
}

}  // namespace
}  // namespace heddle::test
