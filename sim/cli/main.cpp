// Joins the program's parts: the data folder, the hardware catalog in it, and the streams.

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "hw_models/catalog.h"
#include "sim/cli/cli.h"
#include "sim/cli/exit_code.h"
#include "validator/cli/verbs.h"

namespace {

std::string home_folder() {
  const char* home = std::getenv("HEDDLE_HOME");
  return home != nullptr && *home != '\0' ? home : HEDDLE_DEFAULT_HOME;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::ios::sync_with_stdio(false);
    const std::string home = home_folder();
    const auto catalog = heddle::hw_models::open_catalog(home + "/hw_models");
    constexpr std::array kMore{
        heddle::validator_cli::add_validate, heddle::validator_cli::add_compare,
        heddle::validator_cli::add_calibrate_backend, heddle::validator_cli::add_gpu_check};
    return heddle::cli::run_cli(
        argc, argv, {*catalog, home, std::cout, std::cerr, ::isatty(STDERR_FILENO) == 1}, kMore);
  } catch (const std::exception& error) {
    std::cerr << "heddle: internal error, please report it: " << error.what() << '\n';
    return static_cast<int>(heddle::cli::ExitCode::kInternal);
  }
}
