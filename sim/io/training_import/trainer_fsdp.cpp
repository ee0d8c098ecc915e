#include "sim/io/training_import/trainer_fsdp.h"

#include <algorithm>
#include <sstream>

#include "sim/io/training_import/fsdp_section.h"
#include "sim/io/training_import/value_text.h"

namespace heddle::io {
namespace {

/// Returns whether FSDP checkpoints each layer.
bool read_section(ConfigKeys& keys, TrainingSetup& setup) {
  auto section = keys.section("fsdp_config");
  if (section) {
    const bool checkpoints =
        read_fsdp_section(*section, {"", true, "the default of Trainer", true}, setup);
    section->only("xla", {"false"}, "XLA is not modelled", "set it to false");
    section->without_effect({"xla_fsdp_v2", "xla_fsdp_grad_ckpt", "xla_fsdp_settings"});
    section->finish();
    return checkpoints;
  }
  setup.strategy = "fsdp";
  setup.dialect = "fsdp1";
  setup.options.fsdp.use_orig_params = true;
  setup.decisions.push_back(
      {"fsdp_config", "absent", "use_orig_params true, no prefetch", "the defaults of Trainer"});
  return false;
}

}  // namespace

std::vector<std::string> trainer_fsdp_words(ConfigKeys& keys) {
  const auto value = keys.take("fsdp");
  std::vector<std::string> words;
  if (!value) return words;
  if (const auto flag = loose_flag(*value)) {
    if (*flag) words.emplace_back("full_shard");
    return words;
  }
  if (value->kind() == JsonKind::kArray) {
    for (const Value& item : value->items(keys.diagnostics())) {
      words.push_back(lower_case(item.as_string(keys.diagnostics()).value_or("")));
    }
    return words;
  }
  std::istringstream text(lower_case(value->as_string(keys.diagnostics()).value_or("")));
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

bool read_trainer_fsdp(ConfigKeys& keys, const std::vector<std::string>& words,
                       TrainingSetup& setup) {
  const bool wraps = std::find(words.begin(), words.end(), "auto_wrap") != words.end();
  const bool checkpoints = read_section(keys, setup);
  if (!wraps) refuse_one_unit(keys, "fsdp");
  keys.only("fsdp_min_num_params", {"0", "0.0"},
            "units other than the model's layers are not modelled", "set it to 0");
  for (const std::string& word : words) {
    if (word == "auto_wrap") continue;
    if (word == "offload") {
      keys.refuse("fsdp", "offload of FSDP's shards is not modelled", "leave \"offload\" out");
    } else {
      set_sharding(word, keys, "fsdp", setup);
    }
  }
  return checkpoints;
}

}  // namespace heddle::io
