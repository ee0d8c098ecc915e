#include "sim/io/background_reader.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/units_text.h"
#include "sim/io/choice_list.h"
#include "sim/io/gpu_name.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

constexpr std::string_view kContinuous = "continuous";

/// One flow. All keys are taken first, so that which belong together is judged in one place.
class BackgroundReader {
 public:
  BackgroundReader(const Value& object, Diagnostics& out)
      : object_(object), out_(out), fields_(object, out) {
    choice_.pointer = object.pointer();
    choice_.name = fields_.text("name");
    for (const char* key : {"from", "to", "rate", "kind", "gpus", "bytes", "period", "start"}) {
      fields_.optional(key);
    }
    fields_.finish();
  }

  run::BackgroundChoice read() {
    if (object_.kind() != JsonKind::kObject) return std::move(choice_);
    if (const auto start = object_.member("start")) {
      choice_.start = start->as_duration(out_).value_or(Duration{});
    }
    if (object_.member("kind") || object_.member("gpus")) {
      read_collective();
    } else {
      read_flow();
    }
    return std::move(choice_);
  }

 private:
  void read_flow();
  void read_collective();
  void read_gpus(run::TenantCollective& other);
  void read_bytes(const Value& value);
  void read_period(const Value& value, bool may_follow_on);
  void refuse(std::string_view key, std::string_view reason, std::string hint) {
    const auto value = object_.member(key);
    if (value) value->error("conflict", std::string(reason), std::move(hint), out_);
  }

  const Value& object_;
  Diagnostics& out_;
  ScenarioFields fields_;
  run::BackgroundChoice choice_;
};

void BackgroundReader::read_flow() {
  run::PointFlow flow;
  flow.from = fields_.text("from");
  flow.to = fields_.text("to");
  if (const auto rate = object_.member("rate")) flow.rate = read_rate(*rate, out_);
  if (const auto bytes = object_.member("bytes")) {
    read_bytes(*bytes);
    if (const auto period = fields_.required("period")) read_period(*period, false);
  } else {
    refuse("period", "\"period\" says when transfers start, and \"bytes\" of each are not given",
           "add \"bytes\", or give a \"rate\" alone for a steady flow");
    fields_.required("rate");
  }
  choice_.what = std::move(flow);
}

void BackgroundReader::read_collective() {
  run::TenantCollective other;
  for (const char* key : {"from", "to", "rate"}) {
    refuse(key, fmt::format("\"{}\" belongs to a flow between two devices", key),
           "a collective has a \"kind\", \"gpus\", \"bytes\" and a \"period\"");
  }
  other.kind = fields_.word("kind", collective_kinds());
  read_gpus(other);
  if (const auto bytes = fields_.required("bytes")) read_bytes(*bytes);
  if (const auto period = fields_.required("period")) read_period(*period, true);
  choice_.what = std::move(other);
}

void BackgroundReader::read_gpus(run::TenantCollective& other) {
  const auto list = fields_.required("gpus");
  if (!list) return;
  const int errors_before = out_.error_count();
  std::set<std::string> seen;
  for (const Value& item : list->items(out_)) {
    const auto gpu = read_gpu_name(item, out_);
    if (!gpu) continue;
    if (!seen.insert(*gpu).second) {
      item.error("duplicate-gpu", fmt::format("GPU {} is listed twice", *gpu),
                 "list every GPU once", out_);
    }
    other.gpus.push_back(*gpu);
  }
  if (out_.error_count() > errors_before || other.gpus.size() > 1) return;
  list->error("out-of-range", "a collective needs two GPUs at least", "list them, like [4, 5]",
              out_);
}

void BackgroundReader::read_bytes(const Value& value) {
  const auto bytes = value.as_bytes(out_);
  if (!bytes) return;
  choice_.bytes = *bytes;
  if (*bytes > Bytes{} && *bytes <= kMaxBackgroundBytes) return;
  value.error("out-of-range",
              fmt::format("must be above 0 and at most {}", format_bytes(kMaxBackgroundBytes)),
              "give the size of one transfer, e.g. \"1 GiB\"", out_);
}

void BackgroundReader::read_period(const Value& value, bool may_follow_on) {
  const bool text = value.kind() == JsonKind::kString;
  if (text && *value.as_string(out_) == kContinuous) {
    if (may_follow_on) return;
    value.error("not-applicable", "a flow without pauses needs no size",
                "leave \"bytes\" and \"period\" out and give a \"rate\"", out_);
    return;
  }
  const auto period = value.as_duration(out_);
  if (!period) return;
  choice_.period = *period;
  if (*period >= kMinBackgroundPeriod) return;
  value.error("out-of-range",
              fmt::format("must be at least {}", format_duration(kMinBackgroundPeriod)),
              may_follow_on ? "for one transfer after the other write \"continuous\""
                            : "for a steady flow give a \"rate\" alone",
              out_);
}

}  // namespace

std::vector<run::BackgroundChoice> read_background(const Value& list, Diagnostics& out) {
  std::vector<run::BackgroundChoice> choices;
  std::set<std::string> names;
  for (const Value& item : limited_items(list, "flows", out)) {
    choices.push_back(BackgroundReader(item, out).read());
    const std::string& name = choices.back().name;
    if (name.empty() || names.insert(name).second) continue;
    item.member("name")->error("duplicate-name", fmt::format("\"{}\" is there twice", name),
                               "give every flow a name of its own", out);
  }
  return choices;
}

}  // namespace heddle::io
