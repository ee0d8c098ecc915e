#include "sim/io/what_if_writer.h"

#include "sim/io/exact_text.h"
#include "sim/io/gpu_name.h"
#include "sim/io/percent_text.h"
#include "sim/io/scenario_words.h"

namespace heddle::io {
namespace {

std::string share_text(std::int64_t ppb) {
  return percent_text(static_cast<double>(ppb) / static_cast<double>(kPpb));
}

struct ChangeWriter {
  JsonWriter& w;

  void operator()(const fabric::LinkDown& c) const {
    w.field("link", c.link).field("state", link_states().name_of(LinkState::kDown));
  }
  void operator()(const fabric::LinkCapacity& c) const {
    const auto* rate = std::get_if<Bandwidth>(&c.capacity);
    w.field("link", c.link);
    w.field("capacity", rate ? exact_text(*rate) : share_text(std::get<std::int64_t>(c.capacity)));
  }
  void operator()(const fabric::NvlinkOff& c) const {
    w.field("nvlink", nvlink_states().name_of(NvlinkState::kOff));
    if (!c.gpu.empty()) write_gpu_name(w.key("gpu"), c.gpu);
  }
  void operator()(const fabric::SlowGpu& c) const {
    write_gpu_name(w.key("gpu"), c.gpu);
    w.field("speed", share_text(c.speed_ppb));
  }
};

struct BackgroundWriter {
  JsonWriter& w;

  void operator()(const run::PointFlow& flow) const {
    w.field("from", flow.from).field("to", flow.to);
    if (flow.rate) w.field("rate", exact_text(*flow.rate));
  }
  void operator()(const run::TenantCollective& other) const {
    w.field("kind", collective_kinds().name_of(other.kind)).key("gpus").begin_array();
    for (const std::string& gpu : other.gpus) write_gpu_name(w, gpu);
    w.end_array();
  }
};

void write_background(JsonWriter& w, const run::BackgroundChoice& choice) {
  w.begin_object().field("name", choice.name);
  std::visit(BackgroundWriter{w}, choice.what);
  if (choice.bytes > Bytes{}) {
    w.field("bytes", exact_text(choice.bytes));
    w.field("period", choice.period > Duration{} ? exact_text(choice.period) : "continuous");
  }
  w.field("start", exact_text(choice.start)).end_object();
}

}  // namespace

void write_what_ifs(JsonWriter& w, const run::FabricChoice& choice) {
  if (!choice.changes.empty()) {
    w.key("changes").begin_array();
    for (const fabric::Change& change : choice.changes) {
      w.begin_object();
      std::visit(ChangeWriter{w}, change.what);
      w.end_object();
    }
    w.end_array();
  }
  if (choice.background.empty()) return;
  w.key("background").begin_array();
  for (const run::BackgroundChoice& flow : choice.background) write_background(w, flow);
  w.end_array();
}

}  // namespace heddle::io
