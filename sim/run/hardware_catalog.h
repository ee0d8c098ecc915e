#pragma once
// Where hardware numbers come from. sim only knows this interface; hw_models implements it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/fabric/fabric.h"
#include "sim/model/gpu.h"
#include "sim/run/calibrated_values.h"

namespace heddle::run {

/// One line of `heddle list gpus|nodes|networks`.
struct CatalogEntry {
  std::string name;
  std::string summary;
};

/// Values found on one machine: a file of hw_models/overlays by name, or one of the user's with
/// its text.
struct OverlaySource {
  std::string name;
  std::optional<std::string> text;
};

/// A text about a machine, and what has to be told beside it.
struct ImportedText {
  std::string text;
  std::string file;           // to blame
  std::string kind = "auto";  // an importer's name
  std::string gpu;            // model in hw_models/gpus; empty: the text or `like_node` says
  std::string like_node;      // node preset of the same kind; empty: that of the GPU
};

/// How far a number of a GPU's file may be off.
struct ValueSigma {
  std::string key;     // in the file: "gemm_efficiency"
  double sigma = 0;    // relative standard deviation
  std::string origin;  // "calibrated 2026-11: 769-798 of 989 TFLOP/s ..."
};

/// What a GPU draws at the wall, in watts, without its host. Unknown: nullopt.
struct GpuPower {
  std::optional<double> idle;
  std::optional<double> busy;
  std::string origin;  // of both, for a person
};

/// What is known of a GPU besides how fast it is.
struct GpuFacts {
  std::vector<ValueSigma> sigmas;  // of values that state one, in the file's order
  GpuPower power;
};

class HardwareCatalog {
 public:
  virtual ~HardwareCatalog() = default;
  virtual std::vector<CatalogEntry> gpus() const = 0;
  virtual std::vector<CatalogEntry> nodes() const = 0;
  virtual std::vector<CatalogEntry> networks() const = 0;
  /// nullopt and a diagnostic (unknown name with a suggestion, or a faulty data file).
  virtual std::optional<model::GpuModel> gpu(const std::string& name, Diagnostics& out) const = 0;
  /// Of a known GPU; nothing for an unknown one.
  virtual GpuFacts gpu_facts(const std::string& /*name*/) const { return {}; }
  virtual std::optional<fabric::Fabric> node(const std::string& name, Diagnostics& out) const = 0;
  /// `nodes` copies of a node preset (at least one) on a network preset; empty: the one the node
  /// file names. Device names begin with the machine: "node1/gpu3".
  virtual std::optional<fabric::Fabric> cluster(const std::string& node, int nodes,
                                                const std::string& network,
                                                Diagnostics& out) const = 0;
  /// The same, but where its machines are many and alike, only as many of them as are needed: see
  /// Fabric::represented_nodes().
  virtual std::optional<fabric::Fabric> folded_cluster(const std::string& node, int nodes,
                                                       const std::string& network,
                                                       Diagnostics& out) const {
    return cluster(node, nodes, network, out);
  }
  /// NCCL's constants for a GPU architecture ("hopper") from hw_models/nccl, in the table that
  /// covers `version` ("2.18"; empty: the newest).
  virtual std::optional<collective::NcclTuning> nccl_tuning(const std::string& architecture,
                                                            const std::string& version,
                                                            Diagnostics& out) const = 0;
  /// The machine that a text describes. What no text says (link speeds, CPU, efficiencies) comes
  /// from a node preset; what could mean two machines is refused, never guessed.
  virtual std::optional<fabric::Fabric> from_import(const ImportedText& source,
                                                    Diagnostics& out) const = 0;
  /// The same machine as the text of a fabric file (heddle.fabric/1).
  virtual std::optional<std::string> fabric_file(const ImportedText& source,
                                                 Diagnostics& out) const = 0;
  virtual std::vector<CatalogEntry> software() const = 0;
  /// `gpu` with the shares of peak that a software generation of hw_models/software achieves on it.
  virtual std::optional<model::GpuModel> with_software(const model::GpuModel& gpu,
                                                       const std::string& software,
                                                       Diagnostics& out) const = 0;
  virtual std::vector<CatalogEntry> overlays() const = 0;
  /// `comm` of a machine with the overlay's values in place of its kind's.
  virtual std::optional<fabric::CommParameters> overlaid(const fabric::CommParameters& comm,
                                                         const OverlaySource& source,
                                                         Diagnostics& out) const = 0;
  /// An overlay file of what a calibration found; overlaid() reads it back.
  virtual std::string overlay_text(const CalibratedValues& values) const = 0;
  /// Hash of the content of every hardware file, part of a result's fingerprint.
  virtual std::uint64_t content_hash() const = 0;
};

}  // namespace heddle::run
