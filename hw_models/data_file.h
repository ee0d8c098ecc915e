#pragma once
// The head every hardware file has: {"schema": ..., "name": ..., "summary": ...}.

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"

namespace heddle::hw_models {

struct DataFile {
  std::string path;  // for messages
  std::string stem;  // "H200-NVL-141GB"; the name inside must be the same; empty: any name
  std::string text;
};

struct Head {
  std::string name;
  std::string summary;
};

Head read_head(io::ObjectReader& object, const DataFile& file, std::string_view schema,
               Diagnostics& out);

/// A required string; empty after a diagnostic.
std::string read_text(io::ObjectReader& object, std::string_view key, Diagnostics& out);

}  // namespace heddle::hw_models
