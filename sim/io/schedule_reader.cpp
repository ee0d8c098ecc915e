#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/number_text.h"
#include "sim/base/stable_hash.h"
#include "sim/io/schedule_file.h"
#include "sim/io/schedule_line.h"

namespace heddle::io {
namespace {

using schedule::Schedule;

constexpr int kMostProblems = 20;
constexpr std::int64_t kMostRanks = 1 << 20;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMostSize = std::int64_t{1} << 40;  // of a matrix dimension
constexpr std::int64_t kMostSteps = 1'000'000;
constexpr std::int64_t kMostEvents = 1 << 26;
constexpr std::int64_t kMostDispatches = 65'535;
constexpr double kMostFlops = 1e21;
constexpr std::array<std::string_view, 11> kRecords{"origin",       "steps",  "events",     "ranks",
                                                    "communicator", "kernel", "collective", "label",
                                                    "buffer",       "mark",   "program"};
constexpr std::size_t kProgram = kRecords.size() - 1;

class ScheduleReader {
 public:
  ScheduleReader(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}
  std::optional<ScheduleFile> read(std::string_view text);

 private:
  void error(std::string code, std::string message, std::string hint) {
    out_.error(std::move(code), file_, "", number_, std::move(message), std::move(hint));
  }
  bool next_line();
  bool read_head();
  void read_record();
  bool in_order(std::size_t record);
  void read_fields(std::size_t record, ScheduleLine& line);
  void read_ranks(ScheduleLine& line);
  void read_communicator(ScheduleLine& line);
  void read_ranks(ScheduleLine& line, std::string_view run, std::vector<bool>& taken,
                  std::vector<int>& ranks) const;
  void read_kernel(ScheduleLine& line);
  void read_collective(ScheduleLine& line);
  void read_buffer(ScheduleLine& line);
  void read_op(ScheduleLine& line);
  std::uint32_t argument(schedule::OpKind kind, ScheduleLine& line);
  void check_whole();

  const std::string& file_;
  Diagnostics& out_;
  ScheduleFile result_;
  Schedule& s_ = result_.schedule;
  std::string_view rest_;
  std::string_view text_;  // of the line read last
  int number_ = 0;
  std::size_t last_record_ = 0;
  std::array<int, kRecords.size()> seen_{};
  std::size_t ops_ = 0;
  bool ended_ = false;
  bool stopped_ = false;
};

/// False at the end of the text; a last line without a line break is cut off.
bool ScheduleReader::next_line() {
  const std::size_t end = rest_.find('\n');
  if (end == std::string_view::npos) return false;
  text_ = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  ++number_;
  return true;
}

bool ScheduleReader::read_head() {
  if (!next_line() || text_ != kScheduleSchema) {
    number_ = 1;
    const bool ours = text_.starts_with("heddle.schedule/");
    error("unknown-format",
          ours ? fmt::format("the file is {}, this program reads {}", text_, kScheduleSchema)
               : fmt::format("the file does not begin with {}", kScheduleSchema),
          "write one with heddle export schedule");
    return false;
  }
  if (!next_line() || !text_.starts_with("hash ")) {
    error("bad-hash", "the second line is no hash",
          "it is \"hash\" and 16 digits, or \"hash none\"");
    return false;
  }
  const std::string_view told = text_.substr(5);
  result_.hash = StableHash().add(rest_).hex();
  result_.sealed = told != "none";
  if (!result_.sealed || told == result_.hash) return true;
  error("bad-hash", fmt::format("the content has hash {}, not {}", result_.hash, told),
        "the file is cut or edited; \"hash none\" runs an edited one, and reports say so");
  return false;
}

bool ScheduleReader::in_order(std::size_t record) {
  const bool once = record < 4;  // origin, steps, events, ranks
  const bool early = record > 0 && seen_[std::min<std::size_t>(record - 1, 3)] == 0;
  const bool late = record < last_record_ || (once && seen_[record] > 0);
  ++seen_[record];
  last_record_ = std::max(last_record_, record);
  if (!early && !late) return true;
  error("out-of-order", fmt::format("\"{}\" does not belong here", kRecords[record]),
        "sim/io/schedule_file.h lists the order of lines");
  stopped_ = true;  // what follows would be measured by tables that are not there
  return false;
}

void ScheduleReader::read_record() {
  auto words = split_line(text_);
  if (!words) {
    return error("bad-line", "is not words between single blanks",
                 "quotes are closed, lines neither begin nor end with a blank");
  }
  ScheduleLine line(std::move(*words), number_, file_, out_);
  if (line.takes("end")) {
    ended_ = true;
    return line.end();
  }
  for (std::size_t record = 0; record < kRecords.size(); ++record) {
    // Records come before the programs; there, "collective" is an op.
    const bool is_op = last_record_ == kProgram && record != kProgram;
    if (is_op || !line.takes(kRecords[record])) continue;
    if (!in_order(record)) return;
    read_fields(record, line);
    return line.end();
  }
  if (last_record_ == kProgram) {
    read_op(line);
    return line.end();
  }
  const std::vector<std::string> known(kRecords.begin(), kRecords.end());
  const std::string_view first = line.word();
  line.fail("unknown-word", fmt::format("unknown record \"{}\"", first),
            suggest_name(first, known));
}

void ScheduleReader::read_fields(std::size_t record, ScheduleLine& line) {
  switch (record) {
    case 0:
      result_.origin = {line.quoted(), line.quoted(), line.quoted()};
      break;
    case 1:
      s_.steps = static_cast<int>(line.number(0, kMostSteps, "the number of steps"));
      break;
    case 2:
      s_.event_count =
          static_cast<std::size_t>(line.number(0, kMostEvents, "the number of events"));
      break;
    case 3:
      return read_ranks(line);
    case 4:
      return read_communicator(line);
    case 5:
      return read_kernel(line);
    case 6:
      return read_collective(line);
    case 7: {
      const auto phase = line.choice<schedule::Phase>("phase");
      const auto layer = static_cast<std::int32_t>(line.number(-1, kMostSteps, "the layer"));
      s_.labels.push_back({phase, layer, line.quoted()});
      break;
    }
    case 8:
      return read_buffer(line);
    case 9: {
      const auto kind = line.choice<schedule::Mark::Kind>("mark");
      s_.marks.push_back({kind, static_cast<std::int32_t>(line.number(0, kMostSteps, "the step"))});
      break;
    }
    default:
      s_.programs.emplace_back();
  }
}

void ScheduleReader::read_ranks(ScheduleLine& line) {
  do {
    const std::string_view run = line.word();
    if (!line.good()) return;
    const std::size_t star = run.find('*');
    const auto program = whole_int(run.substr(0, star), 0);
    const std::string_view times = star == std::string_view::npos ? "" : run.substr(star + 1);
    const auto count = whole_int(times, 1, kMostRanks);
    const std::size_t before = s_.program_of_rank.size();
    if (!program || !count || before + static_cast<std::size_t>(*count) > kMostRanks) {
      return line.fail("wrong-type", fmt::format("\"{}\" is no run of ranks", run),
                       fmt::format("write program*count, {} ranks at most", kMostRanks));
    }
    s_.program_of_rank.resize(before + static_cast<std::size_t>(*count), *program);
  } while (line.more());
}

void ScheduleReader::read_communicator(ScheduleLine& line) {
  schedule::Communicator c{line.quoted(), {{}}};
  std::vector<bool> taken(static_cast<std::size_t>(s_.rank_count()));
  while (line.good() && (line.more() || c.groups.back().empty())) {
    const std::string_view run = line.word();
    if (run == "/" && !c.groups.back().empty()) {
      c.groups.emplace_back();
    } else {
      read_ranks(line, run, taken, c.groups.back());
    }
  }
  for (const std::vector<int>& group : c.groups) {
    if (!line.good() || group.size() == c.size()) continue;
    line.fail("unequal-groups", "the groups of the communicator differ in size",
              "give each as many ranks as the first");
  }
  s_.communicators.push_back(std::move(c));
}

/// "3" or "0-7".
void ScheduleReader::read_ranks(ScheduleLine& line, std::string_view run, std::vector<bool>& taken,
                                std::vector<int>& ranks) const {
  const std::size_t dash = run.find('-');
  const auto first = whole_int(run.substr(0, dash), 0, s_.rank_count() - 1);
  const auto last = dash == std::string_view::npos
                        ? first
                        : whole_int(run.substr(dash + 1), 0, s_.rank_count() - 1);
  if (!first || !last || *first > *last) {
    if (line.good()) {
      line.fail("unknown-id", fmt::format("\"{}\" are no ranks", run),
                fmt::format("write a rank or first-last, below {}", s_.rank_count()));
    }
    return;
  }
  for (int rank = *first; rank <= *last && line.good(); ++rank) {
    if (taken[static_cast<std::size_t>(rank)]) {
      line.fail("duplicate-id", "a rank is in the communicator twice", "name each rank once");
    }
    taken[static_cast<std::size_t>(rank)] = true;
    ranks.push_back(rank);
  }
}

void ScheduleReader::read_kernel(ScheduleLine& line) {
  schedule::Kernel k;
  k.kind = line.choice<schedule::KernelKind>("kernel");
  k.dtype = line.choice<schedule::DType>("type");
  // The shape of what only streams memory may be left at zero.
  const std::int64_t least = k.kind == schedule::KernelKind::kMemory ? 0 : 1;
  k.batch = line.number(1, kMostSize, "the batch");
  k.m = line.number(least, kMostSize, "m");
  k.n = line.number(least, kMostSize, "n");
  k.k = line.number(least, kMostSize, "k");
  k.flops = {line.real(kMostFlops, "flops")};
  k.bytes = {line.number(0, kMostBytes, "bytes")};
  k.launches = static_cast<std::int32_t>(line.number(1, 1 << 20, "launches"));
  k.backward = line.takes("backward");
  k.causal = line.takes("causal");
  s_.kernels.push_back(k);
}

void ScheduleReader::read_collective(ScheduleLine& line) {
  schedule::Collective c;
  c.kind = line.choice<schedule::CollectiveKind>("collective");
  c.communicator = schedule::CommunicatorId{line.index(s_.communicators.size(), "communicator")};
  c.bytes = {line.number(0, kMostBytes, "bytes")};
  c.dtype = line.choice<schedule::DType>("type");
  s_.collectives.push_back(c);
}

void ScheduleReader::read_buffer(ScheduleLine& line) {
  schedule::Buffer b;
  b.bytes = {line.number(1, kMostBytes, "bytes")};
  b.category = line.choice<schedule::MemoryCategory>("category");
  b.stream = line.choice<schedule::StreamKind>("stream");
  b.label = schedule::LabelId{line.index(s_.labels.size(), "label")};
  while (line.more()) {
    const auto stream = static_cast<unsigned>(line.choice<schedule::StreamKind>("stream"));
    b.used_by = static_cast<std::uint8_t>(b.used_by | 1U << stream);
  }
  s_.buffers.push_back(b);
}

std::uint32_t ScheduleReader::argument(schedule::OpKind kind, ScheduleLine& line) {
  using schedule::OpKind;
  switch (kind) {
    case OpKind::kCompute:
      return line.index(s_.kernels.size(), "kernel");
    case OpKind::kCollective:
      return line.index(s_.collectives.size(), "collective");
    case OpKind::kAlloc:
    case OpKind::kFree:
      return line.index(s_.buffers.size(), "buffer");
    case OpKind::kRecord:
    case OpKind::kWait:
    case OpKind::kHostWait:
      return line.index(s_.event_count, "event");
    case OpKind::kMark:
      return line.index(s_.marks.size(), "mark");
    case OpKind::kHostWork:
      break;
  }
  if (!line.takes("-")) line.fail("wrong-type", "host work has no argument", "write -");
  return Id<void>::kNone;
}

void ScheduleReader::read_op(ScheduleLine& line) {
  schedule::Op op;
  op.kind = line.choice<schedule::OpKind>("op");
  op.stream = line.choice<schedule::StreamKind>("stream");
  op.arg = argument(op.kind, line);
  op.dispatches = static_cast<std::uint16_t>(line.number(0, kMostDispatches, "dispatches"));
  op.label = schedule::LabelId{line.index(s_.labels.size(), "label")};
  s_.programs.back().ops.push_back(op);
  ++ops_;
}

void ScheduleReader::check_whole() {
  if (!ended_) {
    return error("truncated", "the file ends before its \"end\"", "copy or export it again");
  }
  if (!rest_.empty()) return error("out-of-order", "text follows the \"end\"", "remove it");
  if (s_.programs.empty()) return error("missing-key", "there is no program", "export it again");
  for (const int program : s_.program_of_rank) {
    if (static_cast<std::size_t>(program) < s_.programs.size()) continue;
    return error("unknown-id", fmt::format("a rank runs program {}", program),
                 fmt::format("there are {}", s_.programs.size()));
  }
  if (s_.event_count > ops_) {
    error("out-of-range", fmt::format("{} events in {} ops", s_.event_count, ops_),
          "an event is recorded by an op");
  }
}

std::optional<ScheduleFile> ScheduleReader::read(std::string_view text) {
  const int before = out_.error_count();
  rest_ = text;
  if (!read_head()) return std::nullopt;
  while (!ended_ && !stopped_ && out_.error_count() < before + kMostProblems && next_line()) {
    read_record();
    // After a hole in a table every reference into it would be noise.
    stopped_ = stopped_ || (last_record_ != kProgram && out_.error_count() > before);
  }
  if (out_.error_count() == before) check_whole();
  if (out_.error_count() > before) return std::nullopt;
  return std::move(result_);
}

}  // namespace

std::optional<ScheduleFile> read_schedule(std::string_view text, const std::string& file,
                                          Diagnostics& out) {
  return ScheduleReader(file, out).read(text);
}

}  // namespace heddle::io
