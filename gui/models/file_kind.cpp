#include "gui/models/file_kind.h"

#include "gui/models/validation_report.h"
#include "sim/base/error.h"
#include "sim/io/file.h"

namespace heddle::gui {

FileKind kind_of_file(const std::string& file) {
  if (!file.ends_with(".json")) return FileKind::kMachine;
  try {
    return names_validation(io::read_file(file)) ? FileKind::kReport : FileKind::kScenario;
  } catch (const Error&) {
    return FileKind::kScenario;
  }
}

}  // namespace heddle::gui
