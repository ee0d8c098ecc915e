// Any bytes as a scenario file: never a crash, never an exception, and either a scenario or at
// least one error. A scenario that was accepted is written, read and written again without a
// change. What follows a zero byte is served as every file the scenario names, so that the
// config.json reader is reached too.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/error.h"
#include "sim/io/scenario_reader.h"
#include "sim/io/scenario_writer.h"

namespace {

using heddle::Diagnostics;

void check_round_trip(const heddle::run::Scenario& scenario, const heddle::io::ReadText& read) {
  const std::string written = heddle::io::write_scenario(scenario);
  Diagnostics problems;
  const auto again = heddle::io::read_scenario(written, "input.json", {}, read, problems);
  HEDDLE_CHECK(again.has_value(), "cannot read what was written:\n" + written);
  HEDDLE_CHECK(again->content_hash == scenario.content_hash, "another hash:\n" + written);
  HEDDLE_CHECK(heddle::io::write_scenario(*again) == written, "no fixed point:\n" + written);
}

}  // namespace

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
  Diagnostics problems;
  const auto scenario =
      heddle::io::read_scenario(input.substr(0, end), "input.json", {}, read, problems);
  HEDDLE_CHECK(scenario.has_value() != problems.has_errors(), "neither a scenario nor an error");
  if (scenario) check_round_trip(*scenario, read);
  return 0;
}
