#pragma once
// What a text about a machine says, in one form for every importer, before anything is made of it.
// Tokens are kept as printed ("NV18", "SYS", "XGMI"); nothing is guessed here.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::io {

class JsonWriter;

inline constexpr std::size_t kMaxMachineGpus = 1024;  // tables of pairs stay small

struct ImportedGpu {
  int number = 0;                   // 3 in "GPU3"
  int line = 0;                     // where it is introduced; 0 if its row is missing
  std::optional<std::string> numa;  // as printed: "0", "0,3-9"; none for N/A, blank or absent
  std::string cpu_affinity;         // as printed; empty if absent
  std::optional<std::string> gpu_numa_id;  // of its own memory, as printed; none as for numa
  std::string bus_id;                      // "0000:1b:00.0"; empty if not told
  std::string model;                       // product name; empty if not told
};

struct ImportedNic {
  std::string name;  // "mlx5_0", or the column's "NIC0" where no legend names it
  int line = 0;
};

/// A value that was concluded instead of read: what, which, and from what in the text.
struct Inference {
  std::string what;
  std::string value;
  std::string from;
  int line = 0;
};

/// What only one kind of text tells; becomes keys of `heddle import --format json`.
struct ImportDetails {
  virtual ~ImportDetails() = default;
  /// Writes keys and values into the object that is open.
  virtual void write(JsonWriter& writer) const = 0;
};

/// matrix[i][j]: token from GPU i to GPU j in the order of `gpus`, "X" on the diagonal; none where
/// the row is missing from a truncated paste. Empty where the kind of text has no matrix.
using TokenMatrix = std::vector<std::vector<std::optional<std::string>>>;

struct Imported {
  std::vector<ImportedGpu> gpus;
  std::vector<ImportedNic> nics;
  TokenMatrix gpu_matrix;
  TokenMatrix gpu_nic;  // gpus x nics
  std::vector<Inference> inferences;
  std::shared_ptr<const ImportDetails> details;  // may be null
};

}  // namespace heddle::io
