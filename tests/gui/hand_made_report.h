#pragma once
// A heddle.validation/1 of two ranks and two kernels of 40 and 60 ms, with numbers known by heart.

#include <fmt/format.h>

#include <string>

namespace heddle::test {

struct HandMade {
  double stretch = 1;  // of everything predicted, in time
  int ranks = 2;       // that the report says it is about
  int predicted_ranks = 2;
};

inline std::string hand_made_lane(int rank, int ranks, double stretch) {
  return fmt::format(
      R"({{"rank": {}, "ranks": {}, "stream": "compute", "spans": [[10, 0, {}], [11, {}, {}]]}})",
      rank, ranks, 0.04 * stretch, 0.04 * stretch, 0.1 * stretch);
}

inline std::string hand_made_report(const HandMade& made) {
  const double s = made.stretch;
  const std::string moment = "[{}, {}, 1000, 0, 0, {}, 0, 0, 0, 0, 0]";
  std::string text = fmt::format(
      R"({{"schema": "heddle.validation/1", "verdict": "agrees", "reasons": [], "complete": true,
 "scenario": "hand", "case": "made/ddp", "backend": "mpi", "ranks": {}, "scale": 1,
 "platform": {{"cpu": "a pen", "cores": 2}},
 "step": {{"predicted_s": {}, "median_s": 0.1, "p10_s": 0.09, "p90_s": 0.12, "samples": 9,
           "noisy": false, "drift": 0, "error": 0, "tolerance": 0.25}},
 "classes": [{{"class": "gemm", "calls": 2, "predicted_s": {}, "measured_s": 0.1, "error": 0}}],
 "phases": [{{"phase": "forward", "predicted_s": {}, "measured_s": 0.1, "error": 0}}],
 "rank_steps": [{{"rank": 0, "median_s": 0.1}}, {{"rank": 1, "median_s": 0.1}}],)",
      made.ranks, 0.1 * s, 0.1 * s, 0.1 * s);
  text += R"("memory": {"boundaries": 6, "differing": 0, "peak_predicted_bytes": 1500,
 "peak_measured_bytes": 1500, "resident_growth_bytes": 1500, "resident_agrees": true,
 "differences": [], "categories_at_peak": [], "timeline": {"rank": 0, "moments": [)";
  text += fmt::format(fmt::runtime(moment), 4, 1000, 0) + ",";
  text += fmt::format(fmt::runtime(moment), 10, 1500, 500) + ",";
  text += fmt::format(fmt::runtime(moment), 11, 1000, 0) + "]}},";
  text += "\"lanes\": {\"predicted\": [" + hand_made_lane(0, made.predicted_ranks, s) +
          "], \"measured\": [" + hand_made_lane(0, 1, 1) + "," + hand_made_lane(1, 1, 1) + "]},";
  return text +
         R"("ops": [[10, "q_proj", "forward", 0, "gemm"], [11, "up", "forward", 0, "gemm"]]})";
}

}  // namespace heddle::test
