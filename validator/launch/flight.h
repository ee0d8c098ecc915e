#pragma once
// What a rank was doing, in words, from what it said last.

#include <optional>
#include <string>

#include "sim/schedule/schedule.h"
#include "validator/worker/messages.h"

namespace heddle::launch {

/// "during all_reduce of 67.11 MB (backward, layer 3, \"bucket\"), op 212"; "before its first op".
std::string op_text(const schedule::Schedule& schedule, int rank,
                    const std::optional<worker::Progress>& progress);
/// "op 17 (alloc ...)" of the host.
std::string host_op_text(const schedule::Schedule& schedule, int rank, std::uint32_t op);
/// One line of the flight recorder.
std::string flight_line(const schedule::Schedule& schedule, int rank,
                        const std::optional<worker::Progress>& progress, std::size_t repeats,
                        const std::string& problem);

}  // namespace heddle::launch
