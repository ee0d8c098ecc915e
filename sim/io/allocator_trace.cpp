#include "sim/io/allocator_trace.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/nearest_name.h"
#include "sim/io/json_document.h"

namespace heddle::io {
namespace {

using allocator::TraceEvent;
using Kind = TraceEvent::Kind;

constexpr std::string_view kFormat = "heddle.allocator-trace/1";
constexpr std::int64_t kMost = std::int64_t{1} << 50;  // bytes and microseconds
constexpr std::int64_t kMostIds = std::int64_t{1} << 62;
constexpr std::size_t kMostStreams = 256;
constexpr std::int64_t kMostMicroseconds = 9'000'000'000'000;  // 104 days, as simulated time

class TraceReader {
 public:
  explicit TraceReader(Diagnostics& out) : out_(out) {}

  std::optional<allocator::Trace> read(const Value& root);

 private:
  void read_events(const Value& list);
  void read_event(const Value& event);
  void read_alloc(const Value& event, const std::vector<Value>& parts);
  void read_free(const Value& event, const std::vector<Value>& parts);
  void read_use(const Value& use, std::uint32_t id);
  void read_segment(const Value& event, const std::vector<Value>& parts, Kind kind);
  bool has_parts(const Value& event, const std::vector<Value>& parts, std::size_t count,
                 bool or_more, std::string_view form);
  std::optional<SimTime> time(const Value& value, bool in_order);
  std::optional<std::uint16_t> stream(const Value& value);

  Diagnostics& out_;
  allocator::Trace trace_;
  std::unordered_map<std::int64_t, std::uint32_t> alive_;  // id in the file -> allocation
  std::map<std::int64_t, std::uint16_t> streams_;          // in the file -> in order of appearance
  SimTime last_;
};

bool TraceReader::has_parts(const Value& event, const std::vector<Value>& parts, std::size_t count,
                            bool or_more, std::string_view form) {
  if (parts.size() == count || (or_more && parts.size() > count)) return true;
  event.error("wrong-length", fmt::format("has {} elements", parts.size()),
              fmt::format("write {}", form), out_);
  return false;
}

std::optional<SimTime> TraceReader::time(const Value& value, bool in_order) {
  const auto us = value.as_integer(0, kMostMicroseconds, out_);
  if (!us) return std::nullopt;
  const SimTime read = SimTime{} + microseconds(*us);
  if (in_order && read < last_) {
    value.error("out-of-order", "is earlier than the event before it",
                "events stand in the order of their times", out_);
    return std::nullopt;
  }
  if (in_order) last_ = read;
  return read;
}

/// PyTorch's streams are addresses; the allocator wants small numbers.
std::optional<std::uint16_t> TraceReader::stream(const Value& value) {
  const auto read = value.as_integer(0, kMostIds, out_);
  if (!read) return std::nullopt;
  const auto found = streams_.try_emplace(*read, static_cast<std::uint16_t>(streams_.size()));
  if (streams_.size() <= kMostStreams) return found.first->second;
  streams_.erase(found.first);
  value.error("out-of-range", fmt::format("more than {} streams", kMostStreams),
              "one process uses a handful", out_);
  return std::nullopt;
}

void TraceReader::read_alloc(const Value& event, const std::vector<Value>& parts) {
  if (!has_parts(event, parts, 5, false, "[\"alloc\", id, bytes, stream, time]")) return;
  const auto id = parts[1].as_integer(0, kMostIds, out_);
  const auto bytes = parts[2].as_integer(1, kMost, out_);
  const auto on = stream(parts[3]);
  const auto at = time(parts[4], true);
  if (!id || !bytes || !on || !at) return;
  if (!alive_.try_emplace(*id, trace_.allocations).second) {
    return parts[1].error("duplicate-id", fmt::format("allocation {} is alive already", *id),
                          "free it first, or give each allocation an id of its own", out_);
  }
  trace_.events.push_back({Kind::kAlloc, *on, trace_.allocations++, {*bytes}, *at});
}

void TraceReader::read_use(const Value& use, std::uint32_t id) {
  const std::vector<Value> pair = use.items(out_);
  if (use.kind() != JsonKind::kArray || !has_parts(use, pair, 2, false, "[stream, until]")) return;
  const auto on = stream(pair[0]);
  const auto until = time(pair[1], false);
  if (on && until) trace_.events.push_back({Kind::kUse, *on, id, {}, *until});
}

void TraceReader::read_free(const Value& event, const std::vector<Value>& parts) {
  if (!has_parts(event, parts, 3, true, "[\"free\", id, time, [stream, until], ...]")) return;
  const auto id = parts[1].as_integer(0, kMostIds, out_);
  const auto at = time(parts[2], true);
  if (!id || !at) return;
  const auto found = alive_.find(*id);
  if (found == alive_.end()) {
    return parts[1].error("unknown-id", fmt::format("allocation {} is not alive", *id),
                          "what was alive before the trace is listed by \"alloc\" events, too",
                          out_);
  }
  for (std::size_t i = 3; i < parts.size(); ++i) read_use(parts[i], found->second);
  trace_.events.push_back({Kind::kFree, 0, found->second, {}, *at});
  alive_.erase(found);
}

void TraceReader::read_segment(const Value& event, const std::vector<Value>& parts, Kind kind) {
  if (!has_parts(event, parts, 3, false, "[\"segment_alloc\", bytes, time]")) return;
  const auto bytes = parts[1].as_integer(1, kMost, out_);
  const auto at = time(parts[2], true);
  if (bytes && at) trace_.events.push_back({kind, 0, 0, {*bytes}, *at});
}

void TraceReader::read_event(const Value& event) {
  const std::vector<Value> parts = event.items(out_);
  if (event.kind() != JsonKind::kArray) return;
  if (parts.empty()) {
    return event.error("wrong-length", "is empty", "an event begins with its name", out_);
  }
  const auto name = parts[0].as_string(out_);
  if (!name) return;
  if (*name == "alloc") return read_alloc(event, parts);
  if (*name == "free") return read_free(event, parts);
  if (*name == "segment_alloc") return read_segment(event, parts, Kind::kSegmentAlloc);
  if (*name == "segment_free") return read_segment(event, parts, Kind::kSegmentFree);
  const std::vector<std::string> known{"alloc", "free", "segment_alloc", "segment_free"};
  parts[0].error("unknown-event", fmt::format("unknown event \"{}\"", *name),
                 suggest_name(*name, known), out_);
}

void TraceReader::read_events(const Value& list) {
  const std::vector<Value> events = list.items(out_);
  trace_.events.reserve(events.size());
  for (const Value& event : events) read_event(event);
}

std::optional<allocator::Trace> TraceReader::read(const Value& root) {
  const int before = out_.error_count();
  ObjectReader fields(root, out_);
  const auto format = fields.required("format");
  if (format) {
    const auto name = format->as_string(out_);
    if (name && *name != kFormat) {
      format->error("unknown-format", fmt::format("is not \"{}\"", kFormat),
                    "make a trace of a snapshot with sim/allocator/snapshot_to_trace.py", out_);
    }
  }
  if (const auto source = fields.optional("source")) {
    trace_.source = source->as_string(out_).value_or("");
  }
  if (const auto bytes = fields.optional("reserved_before")) {
    trace_.reserved_before = {bytes->as_integer(0, kMost, out_).value_or(0)};
  }
  const auto initial = fields.optional("initial_allocations");
  if (const auto events = fields.required("events")) read_events(*events);
  fields.finish();
  if (initial) {
    const auto count = initial->as_integer(0, trace_.allocations, out_);
    trace_.initial_allocations = static_cast<std::uint32_t>(count.value_or(0));
  }
  if (out_.error_count() > before) return std::nullopt;
  return std::move(trace_);
}

}  // namespace

std::optional<allocator::Trace> read_allocator_trace(std::string_view text, const std::string& file,
                                                     Diagnostics& out) {
  const auto document = JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  return TraceReader(out).read(document->root());
}

}  // namespace heddle::io
