#include "sim/io/scenario_files.h"

#include <filesystem>

#include "sim/base/error.h"

namespace heddle::io {

std::string ScenarioFiles::resolve(const std::string& name) const {
  return (std::filesystem::path(scenario_).parent_path() / name).string();
}

std::optional<std::string> ScenarioFiles::read(const std::string& name, const Value& at) {
  auto text = read_unhashed(name, at);
  if (text) texts_.push_back(*text);
  return text;
}

std::optional<std::string> ScenarioFiles::read_unhashed(const std::string& name, const Value& at) {
  const std::string path = resolve(name);
  try {
    return read_(path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCannotRead) throw;
    at.error("cannot-read", error.what(),
             "looked for \"" + path + "\": names are relative to the scenario's folder", out_);
    return std::nullopt;
  }
}

}  // namespace heddle::io
