#include "sim/fabric/device_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest_name.h"
#include "sim/base/number_text.h"

namespace heddle::fabric {
namespace {

void fail(NamePlace at, std::string code, std::string message, std::string hint, Diagnostics& out) {
  out.error(std::move(code), at.file, at.pointer, 0, std::move(message), std::move(hint));
}

/// "8 devices of 8xH200" or only the GPUs' names.
std::vector<std::string> names_of(const Fabric& fabric, bool gpus_only) {
  std::vector<std::string> names;
  for (const Device& device : fabric.devices()) {
    if (!gpus_only || device.kind == DeviceKind::kGpu) names.push_back(device.name);
  }
  return names;
}

std::optional<DeviceId> device_named(const Fabric& fabric, std::string_view name) {
  const auto devices = fabric.devices();
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const Device& device) { return device.name == name; });
  if (found == devices.end()) return std::nullopt;
  return DeviceId(static_cast<std::size_t>(found - devices.begin()));
}

std::optional<DeviceId> gpu_numbered(const Fabric& fabric, int number, NamePlace at,
                                     Diagnostics& out) {
  if (fabric.node_count() > 1) {
    fail(at, "ambiguous-gpu", fmt::format("GPU {} is in each of several machines", number),
         fmt::format("name one, like \"{}\"", fabric.device(fabric.gpus().front()).name), out);
    return std::nullopt;
  }
  for (const DeviceId id : fabric.gpus()) {
    if (fabric.device(id).index == number) return id;
  }
  fail(at, "unknown-gpu",
       fmt::format("GPU {} does not exist: {} has {} GPUs", number, fabric.name(),
                   fabric.gpus().size()),
       fmt::format("use numbers from {} to {}", fabric.device(fabric.gpus().front()).index,
                   fabric.device(fabric.gpus().back()).index),
       out);
  return std::nullopt;
}

struct LinkEnds {
  std::string_view from;
  std::string_view to;
  bool both_ways = false;
};

std::optional<LinkEnds> split(std::string_view name) {
  for (const std::string_view joint : {" -> ", " - "}) {
    const std::size_t at = name.find(joint);
    if (at == std::string_view::npos) continue;
    return LinkEnds{name.substr(0, at), name.substr(at + joint.size()), joint == " - "};
  }
  return std::nullopt;
}

std::vector<LinkId> links_between(const Fabric& fabric, DeviceId from, DeviceId to) {
  std::vector<LinkId> links;
  for (const LinkId id : fabric.out_links(from)) {
    if (fabric.link(id).to == to) links.push_back(id);
  }
  return links;
}

/// Where the links of a device lead, for the hint.
std::string neighbours_hint(const Fabric& fabric, DeviceId id) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> names;
  for (const LinkId link : fabric.out_links(id)) {
    const std::string& name = fabric.device(fabric.link(link).to).name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return fmt::format("{} has no links", fabric.device(id).name);
  std::string text = fmt::format("{} is joined to ", fabric.device(id).name);
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  return text + (names.size() > kShown ? ", ..." : "");
}

}  // namespace

std::optional<DeviceId> find_device(const Fabric& fabric, std::string_view name, NamePlace at,
                                    Diagnostics& out) {
  const auto found = device_named(fabric, name);
  if (found) return found;
  fail(at, "unknown-device", fmt::format("{} has no device \"{}\"", fabric.name(), name),
       suggest_name(name, names_of(fabric, false)), out);
  return std::nullopt;
}

std::optional<DeviceId> find_gpu(const Fabric& fabric, std::string_view name, NamePlace at,
                                 Diagnostics& out) {
  if (const auto number = whole_int(name)) return gpu_numbered(fabric, *number, at, out);
  const auto found = device_named(fabric, name);
  if (found && fabric.device(*found).kind == DeviceKind::kGpu) return found;
  fail(at, "unknown-gpu", fmt::format("{} has no GPU \"{}\"", fabric.name(), name),
       suggest_name(name, names_of(fabric, true)), out);
  return std::nullopt;
}

std::vector<LinkId> find_links(const Fabric& fabric, std::string_view name, NamePlace at,
                               Diagnostics& out) {
  const auto ends = split(name);
  if (!ends) {
    fail(at, "bad-link", fmt::format("\"{}\" does not name a link", name),
         "write both ends with \" - \" between for both directions, \" -> \" for one, like "
         "\"gpu0 - gpu1\"",
         out);
    return {};
  }
  const auto from = find_device(fabric, ends->from, at, out);
  const auto to = find_device(fabric, ends->to, at, out);
  if (!from || !to) return {};
  std::vector<LinkId> links = links_between(fabric, *from, *to);
  if (ends->both_ways) {
    for (const LinkId id : links_between(fabric, *to, *from)) links.push_back(id);
  }
  if (links.empty()) {
    fail(at, "unknown-link", fmt::format("no link leads from {} to {}", ends->from, ends->to),
         neighbours_hint(fabric, *from), out);
  }
  return links;
}

}  // namespace heddle::fabric
