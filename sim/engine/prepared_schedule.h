#pragma once
// What runs of one schedule share.

#include <vector>

#include "sim/engine/program_index.h"
#include "sim/engine/replay_cache.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

class PreparedSchedule {
 public:
  explicit PreparedSchedule(const schedule::Schedule& schedule) {
    indices_.reserve(schedule.programs.size());
    for (const schedule::Program& p : schedule.programs) {
      indices_.push_back(index_program(schedule, p));
    }
  }

  const std::vector<ProgramIndex>& indices() const { return indices_; }  // by program
  ReplayCache& replays() const { return replays_; }

 private:
  std::vector<ProgramIndex> indices_;
  mutable ReplayCache replays_;  // locks by itself
};

}  // namespace heddle::engine
