#include "sim/io/change_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "sim/io/choice_list.h"
#include "sim/io/gpu_name.h"
#include "sim/io/percent_text.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

/// A share above 0 and below 100 %, ppb.
std::optional<std::int64_t> read_share(const Value& value, Diagnostics& out) {
  const auto text = value.as_string(out);
  if (!text) return std::nullopt;
  Parsed<double> share = parse_percent(*text);
  if (!share.value) {
    value.error("bad-quantity", share.reason, share.hint, out);
    return std::nullopt;
  }
  if (*share.value >= kMinShare) return std::llround(*share.value * kPpb);
  value.error("out-of-range", fmt::format("must be at least {}", percent_text(kMinShare)),
              "for a link that carries nothing write \"state\": \"down\"", out);
  return std::nullopt;
}

/// One change. All keys are taken first, so that which belong together is judged in one place.
class ChangeReader {
 public:
  ChangeReader(const Value& object, Diagnostics& out)
      : object_(object),
        out_(out),
        fields_(object, out),
        link_(fields_.optional("link")),
        state_(fields_.optional_word("state", link_states())),
        capacity_(fields_.optional("capacity")),
        nvlink_(fields_.optional_word("nvlink", nvlink_states())),
        gpu_(fields_.optional("gpu")),
        speed_(fields_.optional("speed")) {
    fields_.finish();
  }

  std::optional<fabric::Change> read() {
    if (object_.kind() != JsonKind::kObject) return std::nullopt;
    if (link_) return read_link();
    if (object_.member("nvlink")) return read_nvlink();
    if (speed_ || gpu_) return read_speed();
    object_.error("missing-key", "says neither which link nor which GPU",
                  R"(write a "link" with a "state" or "capacity", "nvlink": "off", or a "gpu" )"
                  R"(with a "speed")",
                  out_);
    return std::nullopt;
  }

 private:
  using Keys = std::initializer_list<std::string_view>;

  fabric::Change change(decltype(fabric::Change::what) what) const {
    return {std::move(what), object_.pointer()};
  }
  void refuse_beside(std::string_view main, Keys others) {
    for (const std::string_view key : others) {
      if (const auto value = object_.member(key)) {
        value->error("conflict", fmt::format("\"{}\" does not belong to \"{}\"", key, main),
                     "make it a change of its own", out_);
      }
    }
  }
  std::optional<fabric::Change> read_link();
  std::optional<fabric::Change> read_capacity(const std::string& link);
  std::optional<fabric::Change> read_nvlink();
  std::optional<fabric::Change> read_speed();

  const Value& object_;
  Diagnostics& out_;
  ScenarioFields fields_;
  std::optional<Value> link_;
  std::optional<LinkState> state_;
  std::optional<Value> capacity_;
  std::optional<NvlinkState> nvlink_;
  std::optional<Value> gpu_;
  std::optional<Value> speed_;
};

std::optional<fabric::Change> ChangeReader::read_link() {
  refuse_beside("link", {"nvlink", "gpu", "speed"});
  const auto link = link_->as_string(out_);
  const bool has_state = object_.member("state").has_value();
  if (has_state == capacity_.has_value()) {
    object_.error(has_state ? "conflict" : "missing-key",
                  has_state ? "a link is either down or derated" : "says nothing of the link",
                  R"(give either "state": "down" or a "capacity" like "50 %" or "25 GB/s")", out_);
    return std::nullopt;
  }
  if (!link) return std::nullopt;
  if (capacity_) return read_capacity(*link);
  if (!state_) return std::nullopt;
  return change(fabric::LinkDown{*link});
}

std::optional<fabric::Change> ChangeReader::read_capacity(const std::string& link) {
  const bool text = capacity_->kind() == JsonKind::kString;
  if (text && capacity_->as_string(out_)->find('%') != std::string::npos) {
    const auto share = read_share(*capacity_, out_);
    if (!share) return std::nullopt;
    return change(fabric::LinkCapacity{link, *share});
  }
  const auto rate = read_rate(*capacity_, out_);
  if (!rate) return std::nullopt;
  return change(fabric::LinkCapacity{link, *rate});
}

std::optional<fabric::Change> ChangeReader::read_nvlink() {
  refuse_beside("nvlink", {"state", "capacity", "speed"});
  std::optional<std::string> gpu = "";
  if (gpu_) gpu = read_gpu_name(*gpu_, out_);
  if (!nvlink_ || !gpu) return std::nullopt;
  return change(fabric::NvlinkOff{*gpu});
}

std::optional<fabric::Change> ChangeReader::read_speed() {
  refuse_beside("gpu", {"state", "capacity"});
  const auto gpu_key = fields_.required("gpu");
  const auto speed_key = fields_.required("speed");
  const auto gpu = gpu_key ? read_gpu_name(*gpu_key, out_) : std::nullopt;
  const auto speed = speed_key ? read_share(*speed_key, out_) : std::nullopt;
  if (!gpu || !speed) return std::nullopt;
  return change(fabric::SlowGpu{*gpu, *speed});
}

}  // namespace

std::vector<fabric::Change> read_changes(const Value& list, Diagnostics& out) {
  std::vector<fabric::Change> changes;
  for (const Value& item : limited_items(list, "changes", out)) {
    if (auto change = ChangeReader(item, out).read()) changes.push_back(std::move(*change));
  }
  return changes;
}

}  // namespace heddle::io
