#include "sim/cli/accuracy/place_rules.h"

#include <array>
#include <utility>

#include "sim/base/nearest_name.h"
#include "sim/cli/accuracy/plan_fields.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kSchema = "heddle.accuracy-plan/2";
constexpr std::int64_t kMostGpus = 1 << 20;
constexpr double kMostGbps = 1e6;
constexpr std::array<std::pair<std::string_view, NicFigure>, 4> kFigures{
    {{"count", NicFigure::kCount},
     {"Gbit/s per NIC", NicFigure::kGbpsPerNic},
     {"Gbit/s per GPU", NicFigure::kGbpsPerGpu},
     {"Gbit/s per node", NicFigure::kGbpsPerNode}}};

Variables variables(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  Variables found;
  const auto object = reader.optional(key);
  if (!object) return found;
  for (const std::string& name : object->keys()) {
    found[name] = object->member(name)->as_string(out).value_or("");
  }
  return found;
}

MachineRule read_machine(io::ObjectReader& reader, Diagnostics& out) {
  MachineRule rule;
  rule.gpu = required_pattern(reader, "gpu", out);
  rule.topology = optional_pattern(reader, "topology", out);
  rule.node = optional_text(reader, "node", out);
  rule.unsupported = optional_text(reader, "unsupported", out);
  if (rule.node.empty() == rule.unsupported.empty()) {
    reader.object().error("not-one-answer", "needs either a node or why it is unsupported", "",
                          out);
  }
  if (const auto domain = reader.optional("domain")) {
    rule.is_domain = domain->as_bool(out).value_or(false);
  }
  rule.env = variables(reader, "env", out);
  rule.assumption = optional_text(reader, "assumption", out);
  return rule;
}

MemberRule read_member(io::ObjectReader& reader, Diagnostics& out) {
  MemberRule rule{required_pattern(reader, "topology", out), {}};
  if (const auto gpus = reader.optional("gpus")) {
    for (const io::Value& gpu : gpus->items(out)) {
      rule.gpus.push_back(static_cast<int>(gpu.as_integer(0, kMostGpus, out).value_or(0)));
    }
  }
  return rule;
}

NicFigure nic_figure(const io::Value& value, Diagnostics& out) {
  const std::string name = value.as_string(out).value_or("");
  std::vector<std::string> known;
  for (const auto& [word, figure] : kFigures) {
    if (word == name) return figure;
    known.emplace_back(word);
  }
  value.error("unknown-figure", "unknown figure \"" + name + "\"", suggest_name(name, known), out);
  return NicFigure::kCount;
}

NicRule read_nic(io::ObjectReader& reader, Diagnostics& out) {
  NicRule rule{required_pattern(reader, "text", out), {}, 0};
  if (const auto groups = reader.required("groups")) {
    for (const io::Value& group : groups->items(out)) {
      rule.groups.push_back(nic_figure(group, out));
    }
  }
  if (const auto rate = reader.optional("gbps_per_nic")) {
    rule.gbps_per_nic = rate->as_number(0, kMostGbps, out).value_or(0);
  }
  return rule;
}

NetworkRule read_network_rule(io::ObjectReader& reader, Diagnostics& out) {
  return {required_pattern(reader, "text", out), variables(reader, "env", out),
          text_field(reader, "network", out), optional_text(reader, "assumption", out)};
}

OverlayRule read_overlay_rule(io::ObjectReader& reader, Diagnostics& out) {
  return {required_pattern(reader, "id", out), required_pattern(reader, "gpu", out),
          text_field(reader, "overlay", out)};
}

template <typename Rule>
std::vector<Rule> list_of(io::ObjectReader& root, std::string_view key,
                          Rule (*read)(io::ObjectReader&, Diagnostics&), Diagnostics& out) {
  std::vector<Rule> rules;
  const auto list = root.required(key);
  if (!list) return rules;
  for (const io::Value& item : list->items(out)) {
    io::ObjectReader reader(item, out);
    rules.push_back(read(reader, out));
    reader.finish();
  }
  return rules;
}

}  // namespace

std::optional<PlaceRules> read_place_rules(std::string_view text, const std::string& file,
                                           Diagnostics& out) {
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  io::ObjectReader root(document->root(), out);
  check_schema(root, kSchema, out);
  PlaceRules rules;
  rules.machines = list_of(root, "machines", read_machine, out);
  rules.members = list_of(root, "members", read_member, out);
  rules.nics = list_of(root, "nics", read_nic, out);
  rules.networks = list_of(root, "networks", read_network_rule, out);
  rules.overlays = list_of(root, "overlays", read_overlay_rule, out);
  rules.without_effect = variables(root, "variables_without_effect", out);
  rules.oldest_nccl = text_field(root, "oldest_nccl", out);
  root.finish();
  if (out.has_errors()) return std::nullopt;
  return rules;
}

}  // namespace heddle::cli::accuracy
