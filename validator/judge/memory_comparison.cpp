#include "validator/judge/memory_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/base/check.h"
#include "sim/base/units_text.h"

namespace heddle::judge {
namespace {

using Totals = std::array<Bytes, schedule::kCategoryCount>;
using Key = std::tuple<std::uint32_t, schedule::OpKind, int>;  // buffer, what, how many before it

struct Change {
  Totals delta{};
  Totals total{};
};

const engine::RankResult& rank_of(const MemorySide& side, int rank) {
  const int program = side.schedule.program_of_rank[static_cast<std::size_t>(rank)];
  for (const engine::RankResult& r : side.run.ranks) {
    const bool itself = r.multiplicity == 1 && r.first_rank == rank;
    const bool stands_for_it = r.multiplicity > 1 && r.program == program;
    if (itself || stands_for_it) return r;
  }
  HEDDLE_CHECK(false, "a rank that nobody stands for");
}

std::map<Key, Change> changes_of(const MemorySide& side, int rank) {
  const engine::RankResult& result = rank_of(side, rank);
  const auto& ops = side.schedule.programs[static_cast<std::size_t>(result.program)].ops;
  std::map<Key, Change> changes;
  std::map<std::pair<std::uint32_t, schedule::OpKind>, int> seen;
  Totals before{};
  for (const engine::MemorySample& sample : result.memory) {
    const schedule::Op& op = ops[sample.op];
    Change change;
    change.total = sample.by_category;
    for (std::size_t c = 0; c < before.size(); ++c)
      change.delta[c] = sample.by_category[c] - before[c];
    changes.emplace(Key(op.arg, op.kind, seen[{op.arg, op.kind}]++), change);
    before = sample.by_category;
  }
  return changes;
}

std::string op_text(const schedule::Schedule& s, const Key& key) {
  const schedule::Label& label = s.label(s.buffers[std::get<0>(key)].label);
  const std::string layer = label.layer < 0 ? "" : fmt::format(", layer {}", label.layer);
  return fmt::format("{} of \"{}\" ({}{})", to_string(std::get<1>(key)), label.name,
                     to_string(label.phase), layer);
}

class RankComparison {
 public:
  RankComparison(const MemorySide& predicted, const MemorySide& measured, int rank,
                 MemoryComparison& out)
      : predicted_(predicted), measured_(measured), rank_(rank), out_(out) {}

  void run() {
    const std::map<Key, Change> want = changes_of(predicted_, rank_);
    std::map<Key, Change> got = changes_of(measured_, rank_);
    for (const auto& [key, change] : want) {
      const auto found = got.find(key);
      ++out_.boundaries;
      if (found == got.end()) {
        note(key, predicted_.schedule, change.delta, {}, "predicted, never happened");
        continue;
      }
      note(key, predicted_.schedule, change.delta, found->second.delta, "");
      if (change.total != found->second.total) ++out_.totals_differ;
      got.erase(found);
    }
    for (const auto& [key, change] : got) {
      note(key, measured_.schedule, {}, change.delta, "happened, not predicted");
    }
  }

 private:
  void note(const Key& key, const schedule::Schedule& s, const Totals& want, const Totals& got,
            const std::string& what) {
    for (std::size_t c = 0; c < want.size(); ++c) {
      if (want[c] == got[c]) continue;
      const std::string numbers =
          fmt::format("{} B predicted, {} B measured", want[c].value, got[c].value);
      out_.differences.push_back({rank_, op_text(s, key), static_cast<schedule::MemoryCategory>(c),
                                  want[c], got[c], what.empty() ? numbers : what});
    }
  }

  const MemorySide& predicted_;
  const MemorySide& measured_;
  int rank_;
  MemoryComparison& out_;
};

const engine::RankResult& fullest(const engine::RunResult& run) {
  return *std::max_element(run.ranks.begin(), run.ranks.end(), [](const auto& a, const auto& b) {
    return a.peak.total() < b.peak.total();
  });
}

}  // namespace

MemoryComparison compare_memory(const MemorySide& predicted, const MemorySide& measured) {
  MemoryComparison out;
  for (int rank = 0; rank < predicted.schedule.rank_count(); ++rank) {
    RankComparison(predicted, measured, rank, out).run();
  }
  const engine::RankResult& want = fullest(predicted.run);
  const engine::RankResult& got = fullest(measured.run);
  out.predicted_at_peak = want.peak.by_category;
  out.measured_at_peak = got.peak.by_category;
  out.predicted_peak = want.peak.total();
  out.measured_peak = got.peak.total();
  return out;
}

}  // namespace heddle::judge
