#include "gui/models/scenario_save.h"

#include <filesystem>

#include "gui/models/document.h"
#include "sim/base/error.h"
#include "sim/io/file.h"
#include "sim/io/scenario_writer.h"

namespace heddle::gui {
namespace {

std::filesystem::path folder_of(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path(), ignored);
}

}  // namespace

std::string save_scenario(const Document& document, const std::string& file) {
  if (!document.results() || !document.is_current()) {
    return "mend the scenario first: only one that runs is saved";
  }
  if (folder_of(file) != folder_of(document.file())) {
    return "save it beside " + document.file() + ": it names other files relative to its folder";
  }
  try {
    io::write_file(file, io::write_scenario(document.results()->study.scenario()));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace heddle::gui
