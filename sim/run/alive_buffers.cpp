#include "sim/run/alive_buffers.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::run {
namespace {

/// "layers.3.mlp.up_proj.weight" of every layer is one name: "layers.*.mlp.up_proj.weight".
std::string without_layer(const std::string& name) {
  constexpr std::string_view kPrefix = "layers.";
  if (!name.starts_with(kPrefix)) return name;
  const std::size_t end = name.find('.', kPrefix.size());
  return end == std::string::npos ? name : std::string(kPrefix) + "*" + name.substr(end);
}

}  // namespace

std::vector<AliveBuffers> alive_after(const schedule::Schedule& schedule,
                                      const std::vector<schedule::Op>& ops, std::uint32_t last_op) {
  std::vector<char> is_live(schedule.buffers.size());
  for (std::uint32_t i = 0; i <= last_op; ++i) {
    if (ops[i].kind == schedule::OpKind::kAlloc) is_live[ops[i].arg] = 1;
    if (ops[i].kind == schedule::OpKind::kFree) is_live[ops[i].arg] = 0;
  }
  std::map<std::pair<std::string, schedule::MemoryCategory>, AliveBuffers> groups;
  for (std::size_t id = 0; id < is_live.size(); ++id) {
    if (is_live[id] == 0) continue;
    const schedule::Buffer& buffer = schedule.buffers[id];
    const std::string name = without_layer(schedule.label(buffer.label).name);
    AliveBuffers& group = groups[{name, buffer.category}];
    group.name = name;
    group.category = buffer.category;
    ++group.count;
    group.bytes += buffer.bytes;
  }
  std::vector<AliveBuffers> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return sorted;
}

}  // namespace heddle::run
