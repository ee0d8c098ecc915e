#pragma once
// A case as the file that starts it elsewhere: what training_import/ reads, written. Read back as a
// strategy's "from" it gives the same options.

#include <optional>
#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace heddle::io {

struct LaunchSettings {
  std::string kind;  // "DeepSpeed configuration"
  std::string file;  // a name for it: "ds_config.json"
  std::string text;
  /// What no such file can say, for the script: one instruction each.
  std::vector<std::string> script;
};

/// DeepSpeed's JSON for ZeRO stages, Accelerate's YAML for FSDP and DDP; nothing for strategies and
/// options that neither can say.
std::optional<LaunchSettings> launch_settings(const run::Scenario& scenario,
                                              const run::StrategyChoice& choice);

}  // namespace heddle::io
