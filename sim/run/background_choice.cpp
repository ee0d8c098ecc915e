#include "sim/run/background_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/units_text.h"

namespace heddle::run {
namespace {

std::string amount_text(const BackgroundChoice& choice) {
  const std::string every = choice.period > Duration{}
                                ? fmt::format("every {}", format_duration(choice.period))
                                : "one after the other";
  return fmt::format("{} {}", format_bytes(choice.bytes), every);
}

std::string flow_text(const BackgroundChoice& choice, const PointFlow& flow) {
  std::string text = fmt::format("{} -> {}, ", flow.from, flow.to);
  if (choice.bytes == Bytes{}) return text + "steady " + format_bandwidth(*flow.rate);
  text += amount_text(choice);
  return flow.rate ? text + " at up to " + format_bandwidth(*flow.rate) : text;
}

}  // namespace

std::string to_text(const BackgroundChoice& choice) {
  std::string text = choice.name + ": ";
  if (const auto* flow = std::get_if<PointFlow>(&choice.what)) {
    text += flow_text(choice, *flow);
  } else {
    const auto& other = std::get<TenantCollective>(choice.what);
    text += fmt::format("{} over GPUs {}, {}", schedule::to_string(other.kind),
                        fmt::join(other.gpus, ","), amount_text(choice));
  }
  if (choice.start > Duration{}) text += fmt::format(", from {} on", format_duration(choice.start));
  return text;
}

}  // namespace heddle::run
