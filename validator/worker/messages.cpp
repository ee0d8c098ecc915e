#include "validator/worker/messages.h"

#include <algorithm>

namespace heddle::worker {
namespace {

Frame frame_of(MessageType type, WireWriter& writer) {
  return {static_cast<std::uint32_t>(type), writer.take()};
}

void add_failure(WireWriter& w, const std::optional<device::Failure>& failure) {
  w.add(failure.has_value());
  if (!failure) return;
  w.add(static_cast<std::uint32_t>(failure->kind)).add(std::string_view(failure->text));
}

std::optional<device::Failure> read_failure(WireReader& r) {
  if (!r.flag()) return std::nullopt;
  const std::uint64_t kind = std::min<std::uint64_t>(
      r.number(), static_cast<std::uint64_t>(device::FailureKind::kAborted));
  return device::Failure{static_cast<device::FailureKind>(kind), r.text()};
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

void add_pairs(WireWriter& w, const Pairs& pairs) {
  w.add(static_cast<std::uint64_t>(pairs.size()));
  for (const auto& [name, value] : pairs) {
    w.add(std::string_view(name)).add(std::string_view(value));
  }
}

Pairs read_pairs(WireReader& r) {
  Pairs pairs;
  for (std::size_t left = r.count(16); left > 0; --left) {
    std::string name = r.text();
    pairs.emplace_back(std::move(name), r.text());
  }
  return pairs;
}

schedule::StreamKind read_stream(WireReader& r) {
  return static_cast<schedule::StreamKind>(r.number() % schedule::kStreamCount);
}

void add_run(WireWriter& w, const execute::RankRun& run) {
  add_failure(w, run.failure);
  w.add(run.failed_at).add(run.start_ns).add(run.resident_before.value);
  w.add(run.peak_reserved.value);
  w.add(static_cast<std::uint64_t>(run.ops.size()));
  for (const device::OpTime& op : run.ops) {
    w.add(op.op).add(static_cast<std::uint32_t>(op.stream)).add(op.start_ns).add(op.end_ns);
  }
  w.add(static_cast<std::uint64_t>(run.marks_ns.size()));
  for (const std::int64_t ns : run.marks_ns) w.add(ns);
  w.add(static_cast<std::uint64_t>(run.memory.size()));
  for (const execute::MemoryPoint& point : run.memory) {
    w.add(point.op).add(point.resident.value).add(point.reserved.value);
    for (const Bytes bytes : point.count.allocated) w.add(bytes.value);
  }
}

execute::RankRun read_run(WireReader& r) {
  execute::RankRun run;
  run.failure = read_failure(r);
  run.failed_at = r.index();
  run.start_ns = r.integer();
  run.resident_before = {r.integer()};
  run.peak_reserved = {r.integer()};
  for (std::size_t left = r.count(32); left > 0; --left) {
    const std::uint32_t op = r.index();
    const schedule::StreamKind stream = read_stream(r);
    const std::int64_t start = r.integer();
    run.ops.push_back({op, stream, start, r.integer()});
  }
  for (std::size_t left = r.count(8); left > 0; --left) run.marks_ns.push_back(r.integer());
  for (std::size_t left = r.count(24 + 8 * schedule::kCategoryCount); left > 0; --left) {
    execute::MemoryPoint point;
    point.op = r.index();
    point.resident = {r.integer()};
    point.reserved = {r.integer()};
    for (Bytes& bytes : point.count.allocated) bytes = {r.integer()};
    run.memory.push_back(point);
  }
  return run;
}

template <typename Message>
std::optional<Message> if_complete(const WireReader& reader, Message message) {
  if (!reader.complete()) return std::nullopt;
  return message;
}

bool is(const Frame& frame, MessageType type) {
  return frame.type == static_cast<std::uint32_t>(type);
}

}  // namespace

Frame encode(const Hello& m) {
  WireWriter w;
  w.add(m.rank).add(m.ranks).add(m.pid).add(std::string_view(m.host));
  add_pairs(w, m.versions);
  add_pairs(w, m.facts);
  return frame_of(MessageType::kHello, w);
}

std::optional<Hello> decode_hello(const Frame& frame) {
  if (!is(frame, MessageType::kHello)) return std::nullopt;
  WireReader r(frame.payload);
  Hello m;
  m.rank = static_cast<int>(r.integer());
  m.ranks = static_cast<int>(r.integer());
  m.pid = r.integer();
  m.host = r.text();
  m.versions = read_pairs(r);
  m.facts = read_pairs(r);
  return if_complete(r, std::move(m));
}

Frame encode(const Request& m) {
  WireWriter w;
  w.add(std::string_view(m.schedule_file)).add(std::string_view(m.schedule_hash));
  w.add(std::string_view(m.region_file));
  w.add(m.options.settings.verify).add(m.options.settings.return_memory);
  w.add(m.options.settings.time_ops);
  w.add(m.options.memory).add(m.options.deadline_ns);
  w.add(m.repeats).add(m.memory.value).add(m.async_allocator);
  w.add(static_cast<std::uint32_t>(m.fault.kind)).add(m.fault.rank).add(m.fault.call);
  return frame_of(MessageType::kRequest, w);
}

std::optional<Request> decode_request(const Frame& frame) {
  if (!is(frame, MessageType::kRequest)) return std::nullopt;
  WireReader r(frame.payload);
  Request m;
  m.schedule_file = r.text();
  m.schedule_hash = r.text();
  m.region_file = r.text();
  m.options.settings.verify = r.flag();
  m.options.settings.return_memory = r.flag();
  m.options.settings.time_ops = r.flag();
  m.options.memory = r.flag();
  m.options.deadline_ns = r.integer();
  m.repeats = static_cast<int>(r.integer());
  m.memory = {r.integer()};
  m.async_allocator = r.flag();
  m.fault.kind = static_cast<execute::FaultKind>(r.number() % execute::kFaultKinds);
  m.fault.rank = static_cast<int>(r.integer());
  m.fault.call = r.integer();
  return if_complete(r, std::move(m));
}

Frame encode(const Progress& m) {
  WireWriter w;
  w.add(m.host_op);
  for (const device::StreamProgress& stream : m.streams) w.add(stream.op).add(stream.running);
  return frame_of(MessageType::kProgress, w);
}

std::optional<Progress> decode_progress(const Frame& frame) {
  if (!is(frame, MessageType::kProgress)) return std::nullopt;
  WireReader r(frame.payload);
  Progress m;
  m.host_op = r.index();
  for (device::StreamProgress& stream : m.streams) {
    stream.op = r.index();
    stream.running = r.flag();
  }
  return if_complete(r, m);
}

Frame encode(const Report& m) {
  WireWriter w;
  w.add(m.repeat);
  add_run(w, m.run);
  return frame_of(MessageType::kReport, w);
}

std::optional<Report> decode_report(const Frame& frame) {
  if (!is(frame, MessageType::kReport)) return std::nullopt;
  WireReader r(frame.payload);
  Report m;
  m.repeat = static_cast<int>(r.integer());
  m.run = read_run(r);
  return if_complete(r, std::move(m));
}

Frame encode(const Offer& m) {
  WireWriter w;
  w.add(std::string_view(m.text));
  return frame_of(MessageType::kOffer, w);
}

std::optional<Offer> decode_offer(const Frame& frame) {
  if (!is(frame, MessageType::kOffer)) return std::nullopt;
  WireReader r(frame.payload);
  Offer m{r.text()};
  return if_complete(r, std::move(m));
}

Frame encode(const Offers& m) {
  WireWriter w;
  w.add(static_cast<std::uint64_t>(m.texts.size()));
  for (const std::string& text : m.texts) w.add(std::string_view(text));
  return frame_of(MessageType::kOffers, w);
}

std::optional<Offers> decode_offers(const Frame& frame) {
  if (!is(frame, MessageType::kOffers)) return std::nullopt;
  WireReader r(frame.payload);
  Offers m;
  for (std::size_t left = r.count(8); left > 0; --left) m.texts.push_back(r.text());
  return if_complete(r, std::move(m));
}

Frame encode_empty(MessageType type) {
  return {static_cast<std::uint32_t>(type), {}};
}

}  // namespace heddle::worker
