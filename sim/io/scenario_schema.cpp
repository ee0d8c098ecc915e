// Fills the template's blanks from the limits and tables the reader uses, so that the two agree.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/units_text.h"
#include "sim/io/hf_limits.h"
#include "sim/io/import/detect.h"
#include "sim/io/option_visitors.h"
#include "sim/io/scenario_limits.h"
#include "sim/io/scenario_reader.h"
#include "sim/io/scenario_schema_template.h"
#include "sim/io/scenario_version.h"
#include "sim/io/scenario_words.h"
#include "sim/parallel/strategy.h"

namespace heddle::io {
namespace {

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return "[" + text + "]";
}

template <typename T>
std::string list_text(const Vocabulary<T>& known) {
  std::vector<std::string> names;
  for (const Word<T>& word : known.words) names.emplace_back(word.name);
  return list_text(names);
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const parallel::StrategyEntry& entry : parallel::strategies()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> dialect_names() {
  std::vector<std::string> names;
  for (const parallel::StrategyEntry& entry : parallel::strategies()) {
    for (const std::string& name : entry.dialects) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string blank_text(std::string_view blank) {
  if (blank == "schema") return fmt::format("\"{}\"", kScenarioSchema);
  if (blank == "max_image") return fmt::format("{}", kMaxImage);
  if (blank == "max_layers") return fmt::format("{}", kMaxLayers);
  if (blank == "max_tokens") return fmt::format("{}", kMaxTokens);
  if (blank == "max_steps") return fmt::format("{}", kMaxSteps);
  if (blank == "max_choices") return fmt::format("{}", kMaxChoices);
  if (blank == "max_id") return fmt::format("{}", kMaxIdLength);
  if (blank == "max_ctas") return fmt::format("{}", kMaxCtas);
  if (blank == "max_gpu") return fmt::format("{}", kMaxGpuNumber);
  if (blank == "max_nodes") return fmt::format("{}", kMaxNodes);
  if (blank == "rank_orders") return list_text(rank_orders());
  if (blank == "max_host_time") return format_duration(kMaxHostTime);
  if (blank == "precisions") return list_text(precisions());
  if (blank == "optimizer_types") return list_text(optimizer_types());
  if (blank == "max_count") return fmt::format("{}", kMaxOptionCount);
  if (blank == "optimizer_options") return options_schema<parallel::OptimizerSpec>();
  if (blank == "offload_options") return options_schema<parallel::OffloadSpec>();
  if (blank == "training_options") return options_schema<parallel::TrainingSpec>();
  if (blank == "compute_options") return options_schema<model::ComputeOptions>();
  if (blank == "variation_options") return options_schema<run::VariationChoice>();
  if (blank == "max_pue") return fmt::format("{}", kMaxPue);
  if (blank == "per_dispatch")
    return fmt::format("\"{}\"", format_duration(run::HostChoice{}.per_dispatch));
  if (blank == "per_collective")
    return fmt::format("\"{}\"", format_duration(run::HostChoice{}.per_collective));
  if (blank == "run_ahead") return fmt::format("{}", engine::kRunAhead);
  if (blank == "ddp_options") return options_schema<parallel::DdpOptions>();
  if (blank == "deepspeed_options") return options_schema<parallel::DeepSpeedOptions>();
  if (blank == "fsdp_options") return options_schema<parallel::FsdpOptions>();
  if (blank == "megatron_options") return options_schema<parallel::MegatronOptions>();
  if (blank == "switches") return list_text(switches());
  if (blank == "algorithms") return list_text(algorithms());
  if (blank == "protocols") return list_text(protocols());
  if (blank == "p2p_levels") return list_text(p2p_levels());
  if (blank == "ring_orders") return list_text(ring_orders());
  if (blank == "collective_kinds") return list_text(collective_kinds());
  if (blank == "link_states") return list_text(link_states());
  if (blank == "nvlink_states") return list_text(nvlink_states());
  if (blank == "importers") return list_text(import_kinds());
  if (blank == "strategies") return list_text(strategy_names());
  HEDDLE_CHECK(blank == "dialects", "every blank of the template has its text");
  return list_text(dialect_names());
}

}  // namespace

std::string scenario_schema() {
  std::string schema;
  std::string_view rest = scenario_schema_template();
  for (std::size_t at = rest.find('@'); at != std::string_view::npos; at = rest.find('@')) {
    const std::size_t end = rest.find('@', at + 1);
    HEDDLE_CHECK(end != std::string_view::npos, "blanks are written @name@");
    schema += rest.substr(0, at);
    schema += blank_text(rest.substr(at + 1, end - at - 1));
    rest.remove_prefix(end + 1);
  }
  return schema.append(rest);
}

}  // namespace heddle::io
