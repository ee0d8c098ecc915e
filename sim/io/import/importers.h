#pragma once
// The table of importers. A new one is a file that fills in an ImporterSpec and a line in
// importers.cpp; `heddle import`, detection, the corpus test and the fuzz targets walk the table.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/import/imported.h"

namespace heddle::io {

enum class ImportKind {
  kNvidiaSmiTopo,
  kNvidiaSmiP2p,
  kNvidiaSmiC,
  kNcclTopoXml,
  kNcclLog,
  kNcclTests,
  kRocmSmi,
  kLstopo,
  kHeddleFabric,
};

struct ImporterSpec {
  ImportKind kind = ImportKind::kNvidiaSmiTopo;
  std::string_view name;     // "nvidia-smi-topo", as in `heddle import nvidia-smi-topo FILE`
  std::string_view command;  // what prints such a text: "nvidia-smi topo -m"
  /// How sure it is that the text is of this kind: 0 not at all, 100 certain. Reads, never fails.
  int (*confidence)(std::string_view text) = nullptr;
  /// nullopt and errors with line and hint; doubts that do not hinder are warnings.
  std::optional<Imported> (*read)(std::string_view text, const std::string& file,
                                  Diagnostics& out) = nullptr;
};

/// In the order in which ties of confidence are decided.
std::span<const ImporterSpec> importers();

}  // namespace heddle::io
