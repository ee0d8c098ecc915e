#pragma once
// Decisions in words, for `heddle check` and for the assumptions of every result.

#include <string>
#include <vector>

#include "sim/io/training_import/training_setup.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// `ds_config.json (zero3): reduce_bucket_size "auto" -> reduce_bucket_size 16777216; "auto": ...`
std::vector<std::string> decision_texts(const run::StrategyChoice& choice);

}  // namespace heddle::io
