#pragma once
// Reads the text of PYTORCH_CUDA_ALLOC_CONF.

#include <optional>
#include <string>
#include <string_view>

#include "sim/allocator/allocator_config.h"
#include "sim/base/diagnostics.h"

namespace heddle::allocator {

/// For example "expandable_segments:True,roundup_power2_divisions:[256:1,512:2,>:8]"; empty text
/// means the defaults. All faults go to `found` with `where` as their file; keys that change
/// nothing here are noted there. Nothing if there is a fault.
std::optional<AllocatorConfig> parse_alloc_conf(std::string_view text, const std::string& where,
                                                Diagnostics& found);

}  // namespace heddle::allocator
