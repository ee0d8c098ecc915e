// Every tests/bad-schedule/x.hsched is refused with exactly the errors of x.expect, one a line:
// code, line, and text that the printed message contains. Every error has a hint.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/io/file.h"
#include "sim/io/schedule_file.h"
#include "tests/unit/io/expected_errors.h"

namespace heddle::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> bad_schedules() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(HEDDLE_SOURCE_DIR "/tests/bad-schedule")) {
    if (entry.path().extension() == ".hsched") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class BadSchedule : public testing::TestWithParam<fs::path> {};

TEST_P(BadSchedule, IsRefusedWithTheExpectedErrors) {
  Diagnostics out;
  EXPECT_FALSE(read_schedule(read_file(GetParam().string()), "step.hsched", out).has_value());
  for (const Diagnostic& d : out.all()) EXPECT_FALSE(d.hint.empty()) << format(d);
  expect_errors_of(GetParam(), out);
}

INSTANTIATE_TEST_SUITE_P(Files, BadSchedule, testing::ValuesIn(bad_schedules()),
                         [](const auto& file) {
                           std::string name = file.param.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace heddle::io
