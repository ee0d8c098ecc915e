// Any bytes as a scenario file: never a crash, never an exception but Error, and either a scenario
// or at least one error. What follows a zero byte is served as every file the scenario names, so
// that the config.json reader is reached too.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/error.h"
#include "sim/io/scenario_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\0');
  const auto read = [&](const std::string& path) {
    if (end == std::string_view::npos) {
      throw heddle::Error(heddle::ErrorKind::kCannotRead, "cannot read " + path);
    }
    return std::string(input.substr(end + 1));
  };
  heddle::Diagnostics problems;
  try {
    const auto scenario =
        heddle::io::read_scenario(input.substr(0, end), "input.json", {}, read, problems);
    HEDDLE_CHECK(scenario.has_value() != problems.has_errors(), "neither a scenario nor an error");
  } catch (const heddle::Error&) {  // the file the scenario names cannot be read
  }
  return 0;
}
