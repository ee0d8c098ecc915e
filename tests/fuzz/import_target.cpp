// Any bytes as a text for one importer (HEDDLE_IMPORTER): never a crash, never an exception, and
// either something imported or at least one error. What was imported prints as strict JSON.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/io/import/detect.h"
#include "sim/io/import/import_json.h"
#include "sim/io/json_document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const heddle::io::ImporterSpec* importer = heddle::io::find_importer(HEDDLE_IMPORTER);
  HEDDLE_CHECK(importer != nullptr, "no importer of that name in the table");
  const int confidence = importer->confidence(text);
  HEDDLE_CHECK(confidence >= 0 && confidence <= 100, "confidence is a percentage");
  heddle::Diagnostics problems;
  const auto imported = importer->read(text, "input", problems);
  HEDDLE_CHECK(imported.has_value() != problems.has_errors(), "neither imported nor an error");
  if (!imported) return 0;
  const std::string json = heddle::io::import_json(*imported, *importer, "input", problems);
  heddle::Diagnostics broken;
  const auto document = heddle::io::JsonDocument::parse(json, "printed", broken);
  HEDDLE_CHECK(document.has_value(), "not JSON:\n" + json);
  return 0;
}
