#include "sim/io/trace_text.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

/// Exact: a double would lose picoseconds after a second.
std::string microseconds_text(std::int64_t ps) {
  return fmt::format("{}{}.{:06}", ps < 0 ? "-" : "", std::abs(ps) / 1'000'000,
                     std::abs(ps) % 1'000'000);
}

std::string quoted(const std::string& text) {
  JsonWriter writer;
  std::string out = writer.value(text).take();
  out.pop_back();  // its newline
  return out;
}

std::string op_name(const schedule::Label& label) {
  return label.layer < 0 ? label.name : fmt::format("{} [layer {}]", label.name, label.layer);
}

}  // namespace

void TraceText::name(const char* what, int process, int thread, const std::string& name) {
  line(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                   process, thread, quoted(name)));
}

void TraceText::slice(int process, int thread, const std::string& name, const std::string& category,
                      SimTime start, Duration length) {
  line(fmt::format(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"dur":{}}})",
                   quoted(name), quoted(category), process, thread, microseconds_text(start.ps),
                   microseconds_text(length.ps)));
}

void TraceText::counter(int process, const std::string& name, SimTime time,
                        const std::string& values) {
  line(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{{}}}}})", quoted(name),
                   process, microseconds_text(time.ps), values));
}

std::string TraceText::take() const {
  return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + out_ + "\n]}\n";
}

void TraceText::line(const std::string& event) {
  if (!out_.empty()) out_ += ",\n";
  out_ += event;
}

void write_trace_streams(TraceText& trace, const schedule::Schedule& schedule,
                         const engine::RankResult& rank, int process, SimTime zero) {
  const auto& ops = schedule.programs[static_cast<std::size_t>(rank.program)].ops;
  std::array<bool, schedule::kStreamCount> used{};
  for (const engine::Interval& i : rank.intervals) used[static_cast<std::size_t>(i.stream)] = true;
  for (int s = 0; s < schedule::kStreamCount; ++s) {
    if (!used[static_cast<std::size_t>(s)]) continue;
    trace.name("thread_name", process, s,
               std::string(to_string(static_cast<schedule::StreamKind>(s))) + " stream");
  }
  for (const engine::Interval& interval : rank.intervals) {
    const schedule::Label& label = schedule.label(ops[interval.op].label);
    trace.slice(process, static_cast<int>(interval.stream), op_name(label),
                std::string(to_string(label.phase)), SimTime{(interval.start - zero).ps},
                interval.end - interval.start);
  }
}

}  // namespace heddle::io
