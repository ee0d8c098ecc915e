#include "gui/models/memory_series.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gui/models/case_view.h"
#include "sim/base/rng.h"
#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

MemoryMoment moment(std::int64_t time, std::int64_t total) {
  MemoryMoment m{time, 0, {}, total};
  m.layers[kFirstCategoryLayer] = total;
  return m;
}

/// The highest moment that holds somewhere in [begin, end], by looking at all of them.
const MemoryMoment* highest_by_hand(const std::vector<MemoryMoment>& all, std::int64_t begin,
                                    std::int64_t end) {
  const MemoryMoment* best = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool begins = all[i].time <= end;
    const bool held = i + 1 == all.size() || all[i + 1].time > begin;
    if (begins && held && (best == nullptr || all[i].total > best->total)) best = &all[i];
  }
  return best;
}

TEST(MemorySeries, AColumnShowsTheHighestMomentThatHoldsInIt) {
  Rng rng(3);
  std::vector<MemoryMoment> all;
  std::int64_t t = 50;
  for (int i = 0; i < 1000; ++i)
    all.push_back(moment(t += rng.uniform_int(0, 20), rng.uniform_int(0, 99)));
  const MemorySeries series(all);
  for (int i = 0; i < 50; ++i) {
    const auto begin = static_cast<double>(rng.uniform_int(0, t));
    const Span range{begin, begin + static_cast<double>(rng.uniform_int(1, 3000))};
    const std::size_t columns = static_cast<std::size_t>(rng.uniform_int(1, 120));
    const auto shown = series.columns(range, columns);
    const double step = range.length() / static_cast<double>(columns);
    for (std::size_t x = 0; x < columns; ++x) {
      const auto* wanted =
          highest_by_hand(all, std::llround(range.begin + static_cast<double>(x) * step),
                          std::llround(range.begin + static_cast<double>(x + 1) * step));
      ASSERT_EQ(shown[x] == nullptr, wanted == nullptr);
      if (wanted != nullptr) {
        EXPECT_EQ(shown[x]->total, wanted->total);
      }
    }
  }
}

TEST(MemorySeries, ASpikeOfOneSampleIsSeenAtEveryWidth) {
  std::vector<MemoryMoment> all;
  for (int i = 0; i < 10'000; ++i) all.push_back(moment(i * 1000, 10));
  all[6543].total = 99;
  const MemorySeries series(all);
  for (std::size_t width = 200; width <= 4000; width += 380) {
    std::int64_t highest = 0;
    for (const MemoryMoment* m : series.columns({0, 1e7}, width)) {
      highest = std::max(highest, m == nullptr ? 0 : m->total);
    }
    EXPECT_EQ(highest, 99) << width;
  }
}

TEST(MemorySeries, PeaksAreThoseOfTheTableToTheByte) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  const auto& cases = founding.document.results()->cases;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto view = founding.document.view(i);
    const run::MemoryReport& memory = cases[i].memory;
    const MemoryMoment* held = view->memory().peak_held();
    const std::int64_t overheads = (memory.context + memory.nccl).value;
    EXPECT_EQ(held->total - held->layers[kCachedLayer] - overheads, memory.peak_allocated.value);
    EXPECT_EQ(view->memory().peak()->total, memory.driver().value) << cases[i].case_id;
    EXPECT_EQ(view->out_of_memory(), nullptr);
  }
}

TEST(MemorySeries, RunsOutAtTheFirstSampleOverWhatIsUsable) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  const auto view = founding.document.view(0);
  const run::MemoryReport& memory = view->result().memory;
  const MemoryMoment* over = view->out_of_memory();
  ASSERT_NE(over, nullptr);
  EXPECT_GT(over->total, memory.usable.value);
  for (const MemoryMoment& m : view->memory().moments()) {
    if (&m == over) break;
    EXPECT_LE(m.total, memory.usable.value);
  }
  // The allocator's own account of it.
  EXPECT_EQ(over->op, view->result().run.ranks.front().allocator->out_of_memory->state.op);
}

}  // namespace
}  // namespace heddle::gui
