#include "sim/run/alive_buffers.h"

#include <algorithm>
#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace heddle::run {
namespace {

/// "layers.3.mlp.up_proj.weight" of every layer is one: "layers.*" and ".mlp.up_proj.weight".
struct Kind {
  std::string_view prefix;
  std::string_view name;
  schedule::MemoryCategory category;

  friend auto operator<=>(const Kind&, const Kind&) = default;
};

Kind kind_of(const schedule::Schedule& schedule, const schedule::Buffer& buffer) {
  constexpr std::string_view kPrefix = "layers.";
  const std::string_view name = schedule.label(buffer.label).name;
  const std::size_t end = name.starts_with(kPrefix) ? name.find('.', kPrefix.size()) : name.npos;
  if (end == name.npos) return {"", name, buffer.category};
  return {"layers.*", name.substr(end), buffer.category};
}

}  // namespace

std::vector<AliveBuffers> alive_after(const schedule::Schedule& schedule,
                                      const std::vector<schedule::Op>& ops, std::uint32_t last_op) {
  std::vector<char> is_live(schedule.buffers.size());
  for (std::uint32_t i = 0; i <= last_op; ++i) {
    if (ops[i].kind == schedule::OpKind::kAlloc) is_live[ops[i].arg] = 1;
    if (ops[i].kind == schedule::OpKind::kFree) is_live[ops[i].arg] = 0;
  }
  std::map<Kind, AliveBuffers> groups;
  for (std::size_t id = 0; id < is_live.size(); ++id) {
    if (is_live[id] == 0) continue;
    AliveBuffers& group = groups[kind_of(schedule, schedule.buffers[id])];
    ++group.count;
    group.bytes += schedule.buffers[id].bytes;
  }
  std::vector<AliveBuffers> sorted;
  for (auto& [kind, group] : groups) {
    group.name = std::string(kind.prefix).append(kind.name);
    group.category = kind.category;
    sorted.push_back(std::move(group));
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes
                              : std::tie(a.name, a.category) < std::tie(b.name, b.category);
  });
  return sorted;
}

}  // namespace heddle::run
