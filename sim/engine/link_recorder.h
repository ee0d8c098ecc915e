#pragma once
// True payload bytes per second on each link, whenever they change.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/int128.h"
#include "sim/engine/cost_table.h"
#include "sim/engine/run_result.h"

namespace heddle::engine {

class LinkRecorder {
 public:
  explicit LinkRecorder(std::size_t link_count) : load_(link_count), noted_(link_count, false) {}

  /// The payload rate over `uses` changes by `delta` bytes per second.
  void change(std::span<const collective::LinkUse> uses, std::int64_t delta);
  /// Writes one sample per link changed since the last call.
  void flush(SimTime now);
  std::vector<LinkSample> take() { return std::move(samples_); }

 private:
  std::vector<Int128> load_;  // ppb of bytes per second
  std::vector<bool> noted_;
  std::vector<fabric::LinkId> changed_;
  std::vector<LinkSample> samples_;
};

/// Bytes each link carries for the collectives issued after the last kStepBegin mark (all of them
/// if there is none).
std::vector<Bytes> step_link_bytes(const schedule::Schedule& schedule, const CostTable& costs);

}  // namespace heddle::engine
