#pragma once
// The folders gpus/, links/, nodes/ and so on, on disk. Throws heddle::Error(kCannotRead).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw_models/data_file.h"
#include "sim/base/diagnostics.h"
#include "sim/base/stable_hash.h"

namespace heddle::hw_models {

class DataFolder {
 public:
  explicit DataFolder(std::string path) : path_(std::move(path)) {}

  /// Names of the *.json files of a section ("gpus"), sorted.
  std::vector<std::string> names(const std::string& section) const;
  /// Names of the folders in a section, sorted; a nested section is "nccl/2.27".
  std::vector<std::string> folders(const std::string& section) const;
  /// Unknown name: a diagnostic with a suggestion. `what` names the thing: "GPU".
  std::optional<DataFile> find(const std::string& section, const std::string& what,
                               const std::string& name, Diagnostics& out) const;
  DataFile read(const std::string& section, const std::string& name) const;
  /// Hash over the names and contents of all files, in sorted order.
  std::uint64_t content_hash() const;

 private:
  void add_section(const std::string& section, StableHash& hash) const;

  std::string path_;
};

}  // namespace heddle::hw_models
