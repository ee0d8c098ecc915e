#include "hw_models/data_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "sim/base/error.h"
#include "sim/base/nearest_name.h"
#include "sim/base/stable_hash.h"

namespace heddle::hw_models {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSections = {"comm",     "cpus",  "gpus",     "links",   "nccl",
                                  "networks", "nodes", "overlays", "software"};

}  // namespace

std::vector<std::string> DataFolder::names(const std::string& section) const {
  const fs::path folder = fs::path(path_) / section;
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".json") found.push_back(at->path().stem().string());
  }
  if (error) {
    throw Error(ErrorKind::kCannotRead, fmt::format("cannot list the hardware folder {}: {}",
                                                    folder.string(), error.message()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> DataFolder::folders(const std::string& section) const {
  const fs::path folder = fs::path(path_) / section;
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error)) found.push_back(at->path().filename().string());
  }
  if (error) {
    throw Error(ErrorKind::kCannotRead, fmt::format("cannot list the hardware folder {}: {}",
                                                    folder.string(), error.message()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<DataFile> DataFolder::find(const std::string& section, const std::string& what,
                                         const std::string& name, Diagnostics& out) const {
  const std::vector<std::string> known = names(section);
  if (std::find(known.begin(), known.end(), name) != known.end()) return read(section, name);
  out.error("unknown-name", "", "", 0, fmt::format("unknown {} \"{}\"", what, name),
            suggest_name(name, known));
  return std::nullopt;
}

DataFile DataFolder::read(const std::string& section, const std::string& name) const {
  DataFile file{(fs::path(path_) / section / (name + ".json")).string(), name, ""};
  std::ifstream stream(file.path, std::ios::binary);
  std::error_code error;
  const auto size = fs::file_size(file.path, error);
  file.text.resize(error ? 0 : size);
  stream.read(file.text.data(), std::ssize(file.text));
  if (error || !stream) throw Error(ErrorKind::kCannotRead, "cannot read " + file.path);
  return file;
}

void DataFolder::add_section(const std::string& section, StableHash& hash) const {
  for (const std::string& name : names(section)) {
    hash.add(section).add(name).add(read(section, name).text);
  }
}

std::uint64_t DataFolder::content_hash() const {
  StableHash hash;
  for (const std::string section : kSections) {
    add_section(section, hash);
    for (const std::string& folder : folders(section)) add_section(section + "/" + folder, hash);
  }
  return hash.value();
}

}  // namespace heddle::hw_models
