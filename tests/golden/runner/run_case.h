#pragma once

#include <string>
#include <vector>

#include "tests/golden/runner/case_file.h"

namespace heddle::golden {

/// Everything that is not as the case expects, one message each, with the line in the case file.
/// `root` is the repository, which holds the base scenarios and the hardware files.
std::vector<std::string> run_case(const CaseFile& golden, const std::string& root);

}  // namespace heddle::golden
