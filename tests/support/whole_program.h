#pragma once
// The program in-process on the repository's own data files.

#include <string>
#include <vector>

namespace heddle::test {

struct ProgramOutput {
  int code = -1;
  std::string out;
  std::string err;
};

/// `heddle ARGUMENTS...` with the repository as home; relative paths are from the repository's
/// root.
ProgramOutput heddle(const std::vector<std::string>& arguments);

/// Measurements to be judged against live beside the repository, not in it; "" where absent.
std::string reference_file(const std::string& name);

}  // namespace heddle::test
