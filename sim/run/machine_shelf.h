#pragma once
// Machines resolved once and used by many studies, from any number of threads.

#include <mutex>
#include <vector>

#include "sim/run/machine.h"

namespace heddle::run {

/// The choice without what only its scenario knows: id and places in the file.
FabricChoice without_place(FabricChoice choice);

class MachineShelf {
 public:
  /// Keeps a reference to the catalog.
  MachineShelf(const HardwareCatalog& catalog, ReadText read);

  /// As resolve_machine(), but files that are read and rings that are searched are so once.
  /// Machines that are refused are resolved anew each time, and so are those beyond the first few
  /// hundred.
  std::optional<Machine> open(const FabricChoice& choice, const std::string& file,
                              Diagnostics& out);

 private:
  struct Known {
    FabricChoice choice;
    Machine machine;
  };

  const HardwareCatalog& catalog_;
  ReadText read_;
  std::mutex mutex_;
  std::vector<Known> known_;
};

}  // namespace heddle::run
