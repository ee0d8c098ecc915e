#include "validator/launch/flight.h"

#include <fmt/format.h>

#include "sim/base/units_text.h"

namespace heddle::launch {
namespace {

const schedule::Program& program_of(const schedule::Schedule& s, int rank) {
  return s.programs[static_cast<std::size_t>(s.program_of_rank[static_cast<std::size_t>(rank)])];
}

/// Numbers come from another process: one that is no op of the program is said to be none.
std::string text_of(const schedule::Schedule& s, int rank, std::uint32_t index) {
  const auto& ops = program_of(s, rank).ops;
  if (index >= ops.size()) return "no op";
  const schedule::Op& op = ops[index];
  const schedule::Label& label = s.label(op.label);
  std::string what(to_string(op.kind));
  if (op.kind == schedule::OpKind::kCollective) {
    const schedule::Collective& c = s.collectives[op.arg];
    what = fmt::format("{} of {}", to_string(c.kind), format_bytes(c.bytes));
  }
  const std::string layer = label.layer < 0 ? "" : fmt::format(", layer {}", label.layer);
  return fmt::format("op {} ({}; {}{}, \"{}\")", index, what, to_string(label.phase), layer,
                     label.name);
}

}  // namespace

std::string host_op_text(const schedule::Schedule& schedule, int rank, std::uint32_t op) {
  return text_of(schedule, rank, op);
}

std::string op_text(const schedule::Schedule& schedule, int rank,
                    const std::optional<worker::Progress>& progress) {
  if (!progress) return "before it said what it was doing";
  for (int s = schedule::kStreamCount - 1; s >= 0; --s) {  // collectives before compute
    const device::StreamProgress& stream = progress->streams[static_cast<std::size_t>(s)];
    if (stream.running) return "during " + text_of(schedule, rank, stream.op);
  }
  return "host at " + text_of(schedule, rank, progress->host_op);
}

std::string flight_line(const schedule::Schedule& schedule, int rank,
                        const std::optional<worker::Progress>& progress, std::size_t repeats,
                        const std::string& problem) {
  std::string line = fmt::format("rank {}: {} repeats reported", rank, repeats);
  if (!problem.empty()) line += ", " + problem;
  if (!progress) return line + ", said nothing of its ops";
  line += ", host at " + text_of(schedule, rank, progress->host_op);
  for (int s = 0; s < schedule::kStreamCount; ++s) {
    const device::StreamProgress& stream = progress->streams[static_cast<std::size_t>(s)];
    if (stream.op == Id<void>::kNone) continue;
    line += fmt::format("; {} {} {}", to_string(static_cast<schedule::StreamKind>(s)),
                        stream.running ? "in" : "after", text_of(schedule, rank, stream.op));
  }
  return line;
}

}  // namespace heddle::launch
