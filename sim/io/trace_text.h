#pragma once
// Events of a Chrome trace as text, one a line. Times are microseconds with picosecond digits.

#include <string>

#include "sim/engine/run_result.h"
#include "sim/schedule/schedule.h"

namespace heddle::io {

class TraceText {
 public:
  /// Names a track: `what` is "process_name" or "thread_name".
  void name(const char* what, int process, int thread, const std::string& name);
  void slice(int process, int thread, const std::string& name, const std::string& category,
             SimTime start, Duration length);
  /// `values` are members of a JSON object.
  void counter(int process, const std::string& name, SimTime time, const std::string& values);
  /// The whole document.
  std::string take() const;

 private:
  void line(const std::string& event);

  std::string out_;
};

/// A track per stream and a slice per op; times count from `zero`.
void write_trace_streams(TraceText& trace, const schedule::Schedule& schedule,
                         const engine::RankResult& rank, int process, SimTime zero = {});

}  // namespace heddle::io
