#pragma once
// The version of the communication library in its own words and in nccl-tests'.

#include <optional>
#include <string>
#include <string_view>

namespace heddle::io {

/// "2.23.4" from "NCCL version 2.23.4+cuda12.6", "RCCL version : 2.18.3-HEAD:..." or
/// "nccl-library=22903"; none if the line tells no version.
std::optional<std::string> find_nccl_version(std::string_view line);

}  // namespace heddle::io
