// How long a picture takes when there is much to see. A frame is 16 ms.

#include <gtest/gtest.h>

#include <QImage>
#include <algorithm>
#include <sstream>
#include <vector>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/fabric_view.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/memory_plot.h"
#include "hw_models/catalog.h"
#include "sim/base/rng.h"
#include "sim/cli/study_loader.h"
#include "tests/support/cpu_time.h"

namespace heddle::gui {
namespace {

constexpr double kFrame = 16;  // ms

/// One case of the founding scenario with its run replaced by `count` random intervals on fifteen
/// lanes and as many changes of memory.
std::shared_ptr<const CaseView> crowded_view(std::size_t count) {
  const std::string root = HEDDLE_SOURCE_DIR;
  const auto catalog = hw_models::open_catalog(root + "/hw_models");
  std::ostringstream unused;
  Diagnostics notes;
  auto results = std::make_shared<Results>(
      Results{cli::load_study({root + "/scenarios/mistral-7b-4xh200.json", {}},
                              {*catalog, root, unused, unused}, notes),
              {}});
  const auto id = results->study.cases().front();
  results->cases.push_back(results->study.run(id, true));
  engine::RunResult& run = results->cases.front().run;
  run.ranks.resize(5, run.ranks.front());
  run.end = {};
  Rng rng(1);
  const std::size_t per_lane = count / (run.ranks.size() * schedule::kStreamCount);
  for (engine::RankResult& rank : run.ranks) {
    const engine::Interval sample = rank.intervals.front();
    rank.intervals.clear();
    for (int stream = 0; stream < schedule::kStreamCount; ++stream) {
      SimTime t;
      for (std::size_t i = 0; i < per_lane; ++i) {
        const Duration length = nanoseconds(rng.uniform_int(1, 400));
        const auto op = rank.intervals.empty() ? sample.op : rank.intervals[i % 50].op;
        rank.intervals.push_back({op, static_cast<schedule::StreamKind>(stream), t, t + length});
        t += length + nanoseconds(rng.uniform_int(0, 300));
      }
      run.end = std::max(run.end, t);
    }
    const std::vector<engine::MemorySample> few = rank.memory;
    rank.memory.clear();
    for (std::size_t i = 0; i < per_lane; ++i) {
      rank.memory.push_back(few[static_cast<std::size_t>(
          rng.uniform_int(0, static_cast<std::int64_t>(few.size()) - 1))]);
      rank.memory.back().time = SimTime{} + nanoseconds(static_cast<std::int64_t>(i) * 350);
    }
  }
  return std::make_shared<const CaseView>(results, 0);
}

/// CPU milliseconds of one picture, the median of many.
double picture_time(QWidget& plot) {
  std::vector<double> times;
  QImage canvas(plot.size(), QImage::Format_RGB32);
  for (int i = 0; i < 15; ++i) {
    const double before = test::cpu_milliseconds();
    plot.render(&canvas);
    times.push_back(test::cpu_milliseconds() - before);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

TEST(Repaint, AMillionEventsWithinAFrame) {
  if (!test::kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const auto view = crowded_view(1'000'000);
  TimeAxis axis;
  axis.set_bounds(view->all(), view->all());
  LanesPlot lanes(axis, nullptr);
  lanes.set_gutter(90);
  lanes.set_view(view);
  lanes.resize(1600, 900);
  MemoryPlot memory(axis, nullptr);
  memory.set_gutter(90);
  memory.set_view(view);
  memory.resize(1600, 300);
  for (const double share : {1.0, 0.03, 0.001}) {
    const double begin = 0.4 * view->all().end;
    axis.show({begin, begin + share * view->all().length()});
    const double lane_time = picture_time(lanes);
    const double memory_time = picture_time(memory);
    RecordProperty("lanes_us_at_" + std::to_string(share), static_cast<int>(lane_time * 1e3));
    RecordProperty("memory_us_at_" + std::to_string(share), static_cast<int>(memory_time * 1e3));
    EXPECT_LT(lane_time, kFrame) << share;
    EXPECT_LT(memory_time, kFrame) << share;
  }
}

/// 1024 GPUs open as machines and switches; all of them at once still repaint in a tenth of a
/// second.
TEST(Repaint, ALargeFabricOpensCollapsedAndExpands) {
  if (!test::kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const std::string root = HEDDLE_SOURCE_DIR;
  const auto catalog = hw_models::open_catalog(root + "/hw_models");
  std::ostringstream unused;
  Diagnostics notes;
  const std::string cluster =
      R"(fabrics=[{"id": "big", "node": "8xH200-SXM", "nodes": 128, "network": "ib-ndr-rail", "gpus": "all"}])";
  auto results =
      std::make_shared<Results>(Results{cli::load_study({root + "/scenarios/mistral-7b-4xh200.json",
                                                         {cluster, R"(strategies=["ddp"])"}},
                                                        {*catalog, root, unused, unused}, notes),
                                        {}});
  results->cases.push_back(results->study.run(results->study.cases().front(), true));
  const auto view = std::make_shared<const CaseView>(results, 0);
  TimeAxis axis;
  axis.set_bounds(view->all(), view->last_step());
  FabricView fabric(axis, nullptr);
  fabric.resize(1600, 900);
  fabric.set_view(view);
  EXPECT_TRUE(fabric.is_collapsed());
  EXPECT_LT(picture_time(fabric), kFrame);
  fabric.set_collapsed(false);
  constexpr double kAll = 100;  // ms
  EXPECT_LT(picture_time(fabric), kAll);
}

}  // namespace
}  // namespace heddle::gui
