#pragma once
// Input files named on the command line.

#include <string>

namespace heddle::cli {

/// The file's text. A missing one is BadInput naming the nearest file of its folder.
std::string read_input(const std::string& path);

}  // namespace heddle::cli
