#pragma once
// Which nccl file covers a version of NCCL on a GPU architecture.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hw_models/data_folder.h"
#include "sim/collective/nccl_tuning.h"

namespace heddle::hw_models {

/// The nccl files of a folder, each read once, from any number of threads.
class NcclTables {
 public:
  /// Refers to the folder.
  explicit NcclTables(const DataFolder& files) : files_(files) {}

  /// `version` as "2.18"; empty: the newest. No such architecture or version: a diagnostic that
  /// lists what there is.
  std::optional<collective::NcclTuning> find(const std::string& architecture,
                                             const std::string& version, Diagnostics& out) const;

 private:
  using Tables = std::vector<collective::NcclTuning>;  // sorted by the first version covered

  /// nullptr if a file is faulty.
  std::shared_ptr<const Tables> of(const std::string& architecture, Diagnostics& out) const;

  const DataFolder& files_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const Tables>> known_;  // by architecture
};

}  // namespace heddle::hw_models
