#include "sim/fabric/fabric_check.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "sim/fabric/network_check.h"

namespace heddle::fabric {
namespace {

class Checker {
 public:
  Checker(std::span<const Device> devices, const std::string& source, Diagnostics& out)
      : devices_(devices), source_(source), out_(out) {}

  void check_devices() {
    std::set<std::string> names;
    std::set<std::pair<int, int>> gpu_numbers;
    for (const Device& device : devices_) {
      if (!names.insert(device.name).second) {
        fail("duplicate-device", fmt::format("two devices are named \"{}\"", device.name),
             "give every device its own name");
      }
      check_node(device);
      if (device.kind != DeviceKind::kGpu) continue;
      if (!gpu_numbers.insert({device.node, device.index}).second) {
        fail("duplicate-gpu", fmt::format("node {} has two GPUs {}", device.node, device.index),
             "number the GPUs of a node as nvidia-smi does");
      }
    }
    if (gpu_numbers.empty()) fail("no-gpu", "the fabric has no GPU", "add at least one");
  }

  void check_link(const Link& link, std::size_t number) {
    if (!known(link.from) || !known(link.to)) {
      fail("dangling-link", fmt::format("link {} ends at a device that was not added", number),
           "add both devices before the link");
      return;
    }
    const std::string& from = devices_[link.from.index()].name;
    if (link.from == link.to) {
      fail("self-link", fmt::format("link {} joins {} to itself", number, from), "");
    }
    if (link.capacity.bytes_per_second <= 0) {
      fail("no-capacity",
           fmt::format("the link {} -> {} carries nothing", from, devices_[link.to.index()].name),
           "leave the link out, or give it a positive capacity");
    }
  }

 private:
  void check_node(const Device& device) {
    const bool is_switch = device.kind == DeviceKind::kNetSwitch;
    if (is_switch ? device.node == kNoNode : device.node >= 0) return;
    fail("bad-node", fmt::format("{} is in node {}", device.name, device.node),
         is_switch ? "network switches are in no machine: kNoNode" : "nodes count from 0");
  }

  bool known(DeviceId id) const { return id.index() < devices_.size(); }

  void fail(std::string code, std::string message, std::string hint) {
    out_.error(std::move(code), source_, "", 0, std::move(message), std::move(hint));
  }

  std::span<const Device> devices_;
  const std::string& source_;
  Diagnostics& out_;
};

}  // namespace

bool check_fabric(std::span<const Device> devices, std::span<const Link> links,
                  const std::string& source, Diagnostics& out) {
  const int before = out.error_count();
  Checker checker(devices, source, out);
  checker.check_devices();
  for (std::size_t i = 0; i < links.size(); ++i) checker.check_link(links[i], i);
  if (out.error_count() != before) return false;
  check_network(devices, links, source, out);
  return out.error_count() == before;
}

}  // namespace heddle::fabric
