#pragma once
// Advice for a terminal and as JSON.

#include <string>

#include "sim/cli/advise_search.h"

namespace heddle::cli {

std::string advice_text(const AdviceAnswer& answer);
std::string advice_json(const AdviceAnswer& answer);

/// What starts the finalist: the place to use, a configuration file, what is left to the script.
std::string launch_text(const AdviceAnswer& answer, const advise::Finalist& finalist);
/// "CUDA_VISIBLE_DEVICES=0,1,2,3"
std::string devices_text(const AdviceAnswer& answer, const advise::Finalist& finalist);

}  // namespace heddle::cli
