#include "sim/cli/input_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "sim/base/nearest_name.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"

namespace heddle::cli {
namespace {

/// Names in a folder, sorted: the order of a directory is the file system's whim.
std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    names.push_back(entries->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string missing_hint(const std::filesystem::path& path) {
  const std::vector<std::string> names = names_in(path.parent_path());
  if (names.empty()) return "the folder \"" + path.parent_path().string() + "\" has no files";
  return suggest_name(path.filename().string(), names);
}

}  // namespace

std::string read_input(const std::string& path) {
  Diagnostics problems;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    problems.error("missing-file", path, "", 0, "no such file", missing_hint(path));
  } else if (std::filesystem::is_directory(path, error)) {
    problems.error("not-a-file", path, "", 0, "is a folder", "name a file in it");
  }
  if (problems.has_errors()) throw BadInput(std::move(problems));
  return io::read_file(path);
}

}  // namespace heddle::cli
