#include <fmt/format.h>

#include <iterator>

#include "sim/base/check.h"
#include "sim/base/stable_hash.h"
#include "sim/io/line_words.h"
#include "sim/io/schedule_file.h"
#include "sim/io/schedule_words.h"

namespace heddle::io {
namespace {

using schedule::Op;
using schedule::Schedule;

class ScheduleWriter {
 public:
  explicit ScheduleWriter(const Schedule& schedule) : s_(schedule) {}
  std::string write(const ScheduleOrigin& origin);

 private:
  template <typename... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
  }
  void write_ranks();
  void write_communicators();
  void write_group(const std::vector<int>& ranks);
  void write_kernels();
  void write_memory();
  void write_op(const Op& op);

  const Schedule& s_;
  std::string out_;
};

/// Runs of one program: "0*4 1*2".
void ScheduleWriter::write_ranks() {
  out_ += "ranks";
  const std::vector<int>& programs = s_.program_of_rank;
  for (std::size_t first = 0; first < programs.size();) {
    std::size_t end = first + 1;
    while (end < programs.size() && programs[end] == programs[first]) ++end;
    add(" {}*{}", programs[first], end - first);
    first = end;
  }
  out_ += '\n';
}

void ScheduleWriter::write_communicators() {
  for (const schedule::Communicator& c : s_.communicators) {
    add("communicator {}", quoted_word(c.name));
    for (std::size_t g = 0; g < c.groups.size(); ++g) {
      if (g > 0) out_ += " /";
      write_group(c.groups[g]);
    }
    out_ += '\n';
  }
}

void ScheduleWriter::write_group(const std::vector<int>& ranks) {
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    add(" {}", ranks[first]);
    if (last > first) add("-{}", ranks[last]);
    first = last + 1;
  }
}

void ScheduleWriter::write_kernels() {
  for (const schedule::Kernel& k : s_.kernels) {
    add("kernel {} {} {} {} {} {} {} {} {}{}{}\n", to_string(k.kind), to_string(k.dtype), k.batch,
        k.m, k.n, k.k, k.flops.value, k.bytes.value, k.launches, k.backward ? " backward" : "",
        k.causal ? " causal" : "");
  }
  for (const schedule::Collective& c : s_.collectives) {
    add("collective {} {} {} {}\n", to_string(c.kind), c.communicator.index(), c.bytes.value,
        to_string(c.dtype));
  }
}

void ScheduleWriter::write_memory() {
  for (const schedule::Label& label : s_.labels) {
    add("label {} {} {}\n", to_string(label.phase), label.layer, quoted_word(label.name));
  }
  for (const schedule::Buffer& b : s_.buffers) {
    add("buffer {} {} {} {}", b.bytes.value, to_string(b.category), to_string(b.stream),
        b.label.index());
    for (int stream = 0; stream < schedule::kStreamCount; ++stream) {
      if ((b.used_by >> stream & 1) == 0) continue;
      add(" {}", to_string(static_cast<schedule::StreamKind>(stream)));
    }
    out_ += '\n';
  }
  for (const schedule::Mark& mark : s_.marks) add("mark {} {}\n", to_string(mark.kind), mark.step);
}

void ScheduleWriter::write_op(const Op& op) {
  add("{} {} ", to_string(op.kind), to_string(op.stream));
  if (op.arg == Id<void>::kNone) {
    out_ += '-';
  } else {
    add("{}", op.arg);
  }
  add(" {} {}\n", op.dispatches, op.label.index());
}

std::string ScheduleWriter::write(const ScheduleOrigin& origin) {
  add("origin {} {} {}\n", quoted_word(origin.scenario), quoted_word(origin.case_id),
      quoted_word(origin.fingerprint));
  add("steps {}\nevents {}\n", s_.steps, s_.event_count);
  write_ranks();
  write_communicators();
  write_kernels();
  write_memory();
  for (const schedule::Program& program : s_.programs) {
    out_ += "program\n";
    for (const Op& op : program.ops) write_op(op);
  }
  out_ += "end\n";
  return fmt::format("{}\nhash {}\n{}", kScheduleSchema, StableHash().add(out_).hex(), out_);
}

}  // namespace

std::string_view to_string(schedule::Mark::Kind kind) {
  static constexpr std::array<std::string_view, kEnumCount<schedule::Mark::Kind>> kNames{
      "step_begin", "after_optimizer", "step_end"};
  const auto index = static_cast<std::size_t>(kind);
  HEDDLE_CHECK(index < kNames.size(), "enumerator without a name");
  return kNames[index];
}

std::string write_schedule(const schedule::Schedule& schedule, const ScheduleOrigin& origin) {
  return ScheduleWriter(schedule).write(origin);
}

}  // namespace heddle::io
