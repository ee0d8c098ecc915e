#pragma once
// The schedule file, heddle.schedule/1: the very object that was simulated, as text for whoever
// runs it elsewhere. One record a line, so that two plans differ where their lines do:
//
// clang-format off
//   heddle.schedule/1
//   hash 8c0d2f7e51a3b964            FNV-1a of all that follows; "none" runs an edited file
//   origin "scenario" "fabric/strategy" "fingerprint"
//   steps 2
//   events 120
//   ranks 0*4                        program*how many ranks, in rank order
//   communicator "world" 0-3         its groups: communicator "shard" 0-1 / 2-3
//   kernel KIND DTYPE BATCH M N K FLOPS BYTES LAUNCHES [backward] [causal]
//   collective KIND COMMUNICATOR BYTES DTYPE
//   label PHASE LAYER "name"
//   buffer BYTES CATEGORY STREAM LABEL [STREAM that uses it, too]...
//   mark KIND STEP
//   program                          its ops follow
//   OP STREAM ARGUMENT DISPATCHES LABEL   argument and label count the lines of their table from 0
//   end
// clang-format on
//
// Lines stand in this order. A rank is not written out: ranks of one program share its lines.

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/schedule/schedule.h"

namespace heddle::io {

inline constexpr std::string_view kScheduleSchema = "heddle.schedule/1";

/// Where a schedule comes from; for reports, nothing depends on it.
struct ScheduleOrigin {
  std::string scenario;
  std::string case_id;      // "nvswitch/ddp"
  std::string fingerprint;  // of the study

  friend bool operator==(const ScheduleOrigin&, const ScheduleOrigin&) = default;
};

struct ScheduleFile {
  ScheduleOrigin origin;
  schedule::Schedule schedule;
  std::string hash;    // of the content, whatever the file says
  bool sealed = true;  // false: the file says "hash none"
};

/// Equal schedules of equal origin have equal texts.
std::string write_schedule(const schedule::Schedule& schedule, const ScheduleOrigin& origin);

/// Every problem with its line, then nullopt: another schema, a hash that does not fit, lines that
/// are cut, out of order or refer to nothing, numbers out of range. Whether the schedule is sound
/// is for schedule::check_schedule() to say.
std::optional<ScheduleFile> read_schedule(std::string_view text, const std::string& file,
                                          Diagnostics& out);

}  // namespace heddle::io
