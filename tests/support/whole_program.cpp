#include "tests/support/whole_program.h"

#include <array>
#include <filesystem>
#include <sstream>

#include "hw_models/catalog.h"
#include "sim/cli/cli.h"
#include "validator/cli/verbs.h"

namespace heddle::test {

ProgramOutput heddle(const std::vector<std::string>& arguments) {
  const std::string root = HEDDLE_SOURCE_DIR;
  std::filesystem::current_path(root);
  std::vector<const char*> argv{"heddle"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const auto catalog = hw_models::open_catalog(root + "/hw_models");
  constexpr std::array kMore{validator_cli::add_validate, validator_cli::add_compare};
  const int code =
      cli::run_cli(static_cast<int>(argv.size()), argv.data(), {*catalog, root, out, err}, kMore);
  return {code, out.str(), err.str()};
}

std::string reference_file(const std::string& name) {
  const std::filesystem::path file =
      std::filesystem::path(HEDDLE_SOURCE_DIR) / ".." / "shared" / "reference" / name;
  return std::filesystem::exists(file) ? file.string() : "";
}

}  // namespace heddle::test
