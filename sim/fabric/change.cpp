#include "sim/fabric/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/int128.h"
#include "sim/base/units_text.h"
#include "sim/fabric/device_names.h"
#include "sim/fabric/fabric_builder.h"

namespace heddle::fabric {
namespace {

std::int64_t part(std::int64_t whole, std::int64_t ppb) {
  return static_cast<std::int64_t>(static_cast<Int128>(whole) * ppb / kPpb);
}

std::string percent(std::int64_t ppb) {
  std::string text = fmt::format("{}.{:07}", ppb / 10'000'000, ppb % 10'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " %";
}

/// "3" is what gpu_text makes "GPU 3" of; names stand for themselves.
std::string gpu_text(const std::string& gpu) {
  const bool number = !gpu.empty() && gpu.find_first_not_of("0123456789") == std::string::npos;
  return number ? "GPU " + gpu : gpu;
}

/// The links while changes are made one after the other.
class Changer {
 public:
  Changer(const Fabric& fabric, const std::string& source, Diagnostics& out)
      : fabric_(fabric), source_(source), out_(out) {
    for (const Link& link : fabric.links()) links_.push_back({link, true});
  }

  void apply(const Change& change) {
    pointer_ = &change.pointer;
    std::visit([this](const auto& what) { apply(what); }, change.what);
  }
  std::optional<Fabric> finish();

 private:
  struct State {
    Link link;
    bool up = true;
  };

  NamePlace place() const { return {source_, *pointer_}; }
  void apply(const LinkDown& change) {
    for (State* state : named(change.link)) state->up = false;
  }
  void apply(const LinkCapacity& change) {
    for (State* state : named(change.link)) {
      Bandwidth& capacity = state->link.capacity;
      if (const auto* rate = std::get_if<Bandwidth>(&change.capacity)) {
        capacity = *rate;
      } else {
        const std::int64_t share = std::get<std::int64_t>(change.capacity);
        capacity = {std::max<std::int64_t>(1, part(capacity.bytes_per_second, share))};
      }
    }
  }
  void apply(const NvlinkOff& change);
  void apply(const SlowGpu& change) { find_gpu(fabric_, change.gpu, place(), out_); }
  std::vector<State*> named(const std::string& link);

  const Fabric& fabric_;
  const std::string& source_;
  Diagnostics& out_;
  const std::string* pointer_ = nullptr;
  std::vector<State> links_;  // by LinkId
};

/// The links of that name that are still up; an error if none is.
std::vector<Changer::State*> Changer::named(const std::string& link) {
  std::vector<State*> up;
  const std::vector<LinkId> found = find_links(fabric_, link, place(), out_);
  for (const LinkId id : found) {
    if (links_[id.index()].up) up.push_back(&links_[id.index()]);
  }
  if (up.empty() && !found.empty()) {
    out_.error("link-is-down", source_, *pointer_, 0,
               fmt::format("{} is down already, by a change before", link),
               "remove one of the two changes");
  }
  return up;
}

void Changer::apply(const NvlinkOff& change) {
  std::optional<DeviceId> gpu;
  if (!change.gpu.empty()) {
    gpu = find_gpu(fabric_, change.gpu, place(), out_);
    if (!gpu) return;
  }
  bool any = false;
  for (State& state : links_) {
    const bool meant = !gpu || state.link.from == *gpu || state.link.to == *gpu;
    if (!state.up || !meant || state.link.kind != LinkKind::kNvlink) continue;
    state.up = false;
    any = true;
  }
  if (any) return;
  out_.error("no-nvlink", source_, *pointer_, 0,
             fmt::format("{} has no NVLink to switch off",
                         gpu ? fabric_.device(*gpu).name : fabric_.name()),
             "remove the change");
}

std::optional<Fabric> Changer::finish() {
  FabricBuilder builder(fabric_.name(), fabric_.gpu_model());
  for (const Device& device : fabric_.devices()) builder.add_device(device);
  for (const State& state : links_) {
    if (state.up) builder.add_link(state.link);
  }
  builder.set_comm(fabric_.comm());
  builder.set_represented_nodes(fabric_.represented_nodes());
  return std::move(builder).freeze(source_, out_);
}

struct Text {
  std::string operator()(const LinkDown& c) const { return c.link + " down"; }
  std::string operator()(const LinkCapacity& c) const {
    const auto* rate = std::get_if<Bandwidth>(&c.capacity);
    return fmt::format(
        "{} at {}", c.link,
        rate ? format_bandwidth(*rate) : percent(std::get<std::int64_t>(c.capacity)));
  }
  std::string operator()(const NvlinkOff& c) const {
    return c.gpu.empty() ? "NVLink off" : fmt::format("NVLink of {} off", gpu_text(c.gpu));
  }
  std::string operator()(const SlowGpu& c) const {
    return fmt::format("{} at {} speed", gpu_text(c.gpu), percent(c.speed_ppb));
  }
};

}  // namespace

std::string to_text(const Change& change) {
  return std::visit(Text{}, change.what);
}

std::optional<Fabric> with_changes(const Fabric& fabric, std::span<const Change> changes,
                                   const std::string& source, Diagnostics& out) {
  const int errors_before = out.error_count();
  Changer changer(fabric, source, out);
  for (const Change& change : changes) changer.apply(change);
  if (out.error_count() > errors_before) return std::nullopt;
  return changer.finish();
}

std::vector<std::int64_t> gpu_speeds(const Fabric& fabric, std::span<const Change> changes) {
  std::vector<std::int64_t> speeds(fabric.devices().size(), kPpb);
  for (const Change& change : changes) {
    const auto* slow = std::get_if<SlowGpu>(&change.what);
    if (slow == nullptr) continue;
    Diagnostics ignored;
    const auto id = find_gpu(fabric, slow->gpu, {fabric.name(), change.pointer}, ignored);
    HEDDLE_CHECK(id.has_value(), "changes are checked before they are asked for");
    std::int64_t& speed = speeds[id->index()];
    speed = std::max<std::int64_t>(1, part(speed, slow->speed_ppb));
  }
  return speeds;
}

}  // namespace heddle::fabric
